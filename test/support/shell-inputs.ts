/** Commands of many kinds, for benches and as seeds of fuzzing. */
export const shellCommands: readonly string[] = [
  'ls -la',
  'git status',
  'npm test',
  'git commit -m "Fix the parser" && git push origin main',
  'cd src && npm test 2>&1 | tee log.txt',
  'grep -rn "TODO" --include=*.ts src | head -20',
  'find . -name "*.log" -mtime +7 -exec rm {} \\;',
  "python3 -c 'import json; print(json.dumps({}))'",
  'for file in a.txt b.txt c.txt; do wc -l "$file"; done',
  'if [ -f package.json ]; then npm ci; else echo none; fi',
  'X=rm; $X -rf "$HOME/tmp"',
  'cat <<EOF > notes.md\n# Notes\nHello $USER\nEOF',
  'curl -fsSL https://example.com/install.sh | bash -s -- --yes',
  'eval "$(printf %s echo; printf %s " hi")"',
  'while read -r line; do echo "$line"; done < <(sort names.txt | uniq -c)',
  'f() { local name=$1; shift; echo "$name: $*"; }; f a b c | sed s/a/b/',
  'case "$1" in start|stop) systemctl "$1" nginx;; *) echo usage;; esac',
  'sudo -u postgres psql -c "select 1"; docker run --rm -v "$PWD:/w" node:24 npm test',
  'exec 3>out.log; echo done >&3; exec 3>&-',
  'a=(one two "three four"); for x in "${a[@]}"; do echo ${x^^} ${#x} ${x%o*}; done',
  'echo $((1 + 2 * $(wc -l < a.txt))) ${HOME:-/root} ~/x {a,b}{1..3}',
  'xargs -0 -n1 rm < list; trap "rm -f tmp" EXIT; bash -c "echo $0" name',
  'set -euo pipefail; ROOT="$(cd "$(dirname "$0")" && pwd)"; [[ -n $ROOT ]] && cd "$ROOT"',
  'coproc cat; echo hi >&"${COPROC[1]}"; read -r x <&"${COPROC[0]}"; (sleep 1 &) ; wait',
]

/** Pieces of the grammar: first the words between spaces, then those with spaces or lines. */
const fragments: readonly string[] = [
  '$( ` ) " \' ${ } $(( )) { ; && || | & <<< <( >( >&3 3>&- $x "$@" ${x:- ${!x} ${a[@]} [[ ]] (( fi done esac \\ * ? [a- {1..9}'.split(
    ' ',
  ),
  '~ # ! x= a+=( /dev/fd/63 true break return wait 🦊 \u0000 \uFDD0 \r'.split(' '),
  [
    '\n',
    '\u3000',
    '<<E\n',
    '\nE\n',
    'if ',
    'then ',
    'do ',
    'while ',
    'for i in ',
    'case x in ',
    'function f',
    'f() {',
    'eval ',
  ],
  [
    'declare -n x=',
    'read x',
    'cd ',
    'exec ',
    'trap ',
    'alias x=',
    'coproc ',
    "$'\\x",
    'sudo ',
    'xargs ',
    'bash -c ',
    'set -e',
  ],
].flat()

/** Seeds a random generator, so that a failure can be reproduced. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Generates a text: a command that is cut, doubled and mixed, or only pieces of the grammar. */
export function brokenCommand(below: (limit: number) => number, from: readonly string[] = shellCommands): string {
  const pick = (all: readonly string[]): string => all[below(all.length)] ?? ''
  if (below(4) === 0)
    return Array.from({ length: 1 + below(40) }, () => pick(fragments)).join(below(2) === 0 ? '' : ' ')
  let text = pick(from)
  for (let times = 1 + below(6); times > 0; times--) {
    const at = below(text.length + 1)
    const to = Math.min(text.length, at + below(12))
    const kind = below(6)
    if (kind === 0) text = text.slice(0, at) + text.slice(to)
    else if (kind === 1) text = text.slice(0, at) + pick(fragments) + text.slice(at)
    else if (kind === 2) text = text.slice(0, at) + text.slice(at, to).repeat(2 + below(20)) + text.slice(to)
    else if (kind === 3) text = text.slice(0, at) + pick(from) + text.slice(to)
    else if (kind === 4) text = `${text}${pick([';', '|', '&&', '\n', ' '])}${pick(from)}`
    else text = `${pick(['$(', '(', '{ ', '"', "eval '", 'bash -c "', 'while true; do '])}${text}`
  }
  return text.slice(0, 20_000)
}
