#!/bin/sh
# n8n's log in its text format shows the metadata of a line, such as the name of the workflow, only at
# the level "debug".
# Seen: at "info" the line is the message alone; in the JSON format it has its metadata.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install @n8n/backend-common@1.41.1
log() {
	N8N_LOG_FORMAT=$1 N8N_LOG_LEVEL=info N8N_USER_FOLDER=$folder node -e "
		require('reflect-metadata');
		const { Logger } = require('@n8n/backend-common');
		const { Container } = require('@n8n/di');
		Container.get(Logger).info('It waits', { workflow: 'Videos' });
	"
}
text=$(log text)
json=$(log json)
echo "$text"
echo "$json"
[ "$text" = 'It waits' ]
case $json in *'"workflow":"Videos"'*) ;; *) exit 1 ;; esac
