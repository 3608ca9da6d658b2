#!/bin/sh
# A Poll Time "Every X" is a cron expression of one unit. An X that is no part of the unit polls unevenly,
# one beyond it polls once per unit, and n8n says nothing.
# Seen: every 90 and every 1,440 minutes poll each hour, every 36 hours each day, every 45 minutes at :00
# and at :45.
folder=$(mktemp -d)
. "$(dirname "$0")/support/start.sh"
install n8n-workflow@2.41.0 cron@4.4.0
node - <<'EOF'
const assert = require('node:assert/strict');
const { CronTime } = require('cron');
const { toCronExpression } = require('n8n-workflow');

/** The hours between polls, without the second and the minute that n8n chooses at random. */
function getIntervals(value, unit) {
	const time = new CronTime(toCronExpression({ mode: 'everyX', value, unit }), 'UTC');
	let last = time.getNextDateFrom(new Date('2026-01-01T00:30:00Z'), 'UTC');
	return Array.from({ length: 4 }, () => {
		const next = time.getNextDateFrom(last, 'UTC');
		const hours = next.diff(last).as('hours');
		last = next;
		return hours;
	});
}

const seen = {
	'15 minutes': getIntervals(15, 'minutes'),
	'45 minutes': getIntervals(45, 'minutes'),
	'90 minutes': getIntervals(90, 'minutes'),
	'1440 minutes': getIntervals(1440, 'minutes'),
	'36 hours': getIntervals(36, 'hours'),
};
console.log(seen);
assert.deepStrictEqual(seen, {
	'15 minutes': [0.25, 0.25, 0.25, 0.25],
	'45 minutes': [0.25, 0.75, 0.25, 0.75],
	'90 minutes': [1, 1, 1, 1],
	'1440 minutes': [1, 1, 1, 1],
	'36 hours': [24, 24, 24, 24],
});
EOF
