# What every finding begins with. Removes $folder at the end, and works in it until then.
set -eu
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
cp "$(dirname "$0")/support/engine.cjs" "$folder"
cd "$folder"

# Installs packages. Those that npm run findings starts share them, each combination in its own folder.
install() {
	place=${FINDINGS_PACKAGES:-$folder/packages}/$(echo "$*" | tr ' /' '++')
	mkdir -p "$place"
	# npm writes this file last of all.
	if [ ! -f "$place/node_modules/.package-lock.json" ]; then
		echo '{ "private": true }' >"$place/package.json"
		npm install --prefix "$place" --ignore-scripts --no-audit --no-fund --loglevel=error "$@" >/dev/null
	fi
	rm -f node_modules
	ln -s "$place/node_modules" node_modules
}
