/** Who the editor belongs to. Only this machine can reach it, so the password is no secret. */
export const owner = {
	email: 'demo@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Avatar-Studio-1',
};
