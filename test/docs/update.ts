/** Whether Jest runs with -u, as `npm run docs` does: then the tests write what is generated. */
export const isUpdate = process.env.UPDATE_DOCUMENTS === 'true';
