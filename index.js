// n8n finds the node through package.json; this file is here for tools that require a package by name.
module.exports = {};
