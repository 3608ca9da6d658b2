/** The owner of the editor. Only this machine can reach it, so the password is no secret. */
export const owner = {
	email: 'demo@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Avatar-Studio-1',
	/** bcrypt of the password. A new one would end the sessions of the browsers. */
	passwordHash: '$2a$10$Rn7f7DQdUiVG2DVva1opSuF8uFgbCSm37wYpaJf5whASiTHO4a0CK',
};
