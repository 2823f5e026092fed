import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../support/shipped-gate.ts'

// LAW: one by one is all at once. A loop, or a list of names that a program gives, is judged by all that it reaches.

const gates = { recommended: openPresetGate('/home/u', 'recommended'), strict: openPresetGate('/home/u', 'strict') }
afterAll(() => Promise.all(Object.values(gates).map((gate) => gate.close())))

/** What is done to each file: `"$f"` is one, and `{}` where a program puts it in. */
const verbs: Readonly<Record<string, (file: string) => string>> = {
  'deletes it': (file) => `rm -f ${file}`,
  'moves it to temporary files': (file) => `mv ${file} /tmp/`,
  'empties it': (file) => `truncate -s 0 ${file}`,
}

/** Ways to do something with each file of `folder`. `list` prints their names, each below the folder. */
const spellings: Readonly<Record<string, (folder: string, verb: (file: string) => string) => string>> = {
  'for, over a pattern': (folder, verb) => `for f in ${folder}/*; do ${verb('"$f"')}; done`,
  'for, over a listing': (folder, verb) => `for f in $(ls ${folder}); do ${verb(`${folder}/"$f"`)}; done`,
  'for, over a search': (folder, verb) => `for f in $(find ${folder} -type f); do ${verb('"$f"')}; done`,
  'while read, from a pipe': (folder, verb) => `find ${folder} -type f | while read -r f; do ${verb('"$f"')}; done`,
  'while read, from a here-string': (folder, verb) => `while read f; do ${verb('"$f"')}; done <<< "$(find ${folder})"`,
  'while read, from a process': (folder, verb) => `while read f; do ${verb('"$f"')}; done < <(find ${folder} -type f)`,
  mapfile: (folder, verb) => `mapfile -t a < <(find ${folder} -type f); for f in "\${a[@]}"; do ${verb('"$f"')}; done`,
  'an array by its indices': (folder, verb) =>
    `a=(${folder}/*); for ((i = 0; i < \${#a[@]}; i++)); do ${verb('"${a[$i]}"')}; done`,
  'xargs, one at a time': (folder, verb) => `find ${folder} -type f | xargs -n1 -I{} ${verb('{}')}`,
  'xargs of a pattern': (folder, verb) => `printf '%s\\n' ${folder}/* | xargs -I{} ${verb('{}')}`,
  parallel: (folder, verb) => `find ${folder} -type f | parallel ${verb('{}')}`,
  'find -exec': (folder, verb) => `find ${folder} -type f -exec ${verb('{}')} \\;`,
  'find -exec, in a shell': (folder, verb) => `find ${folder} -type f -exec sh -c '${verb('"$1"')}' _ {} \\;`,
  'in the folder': (folder, verb) => `cd ${folder} && for f in *; do ${verb('"$f"')}; done`,
}

const folders = ['~/Documents', '~/work/other', '/srv/data']
const cases = Object.entries(spellings).flatMap(([way, spell]) =>
  Object.entries(verbs).flatMap(([what, verb]) =>
    folders.map((folder) => ({ way, what, command: spell(folder, verb) })),
  ),
)

describe.each(['recommended', 'strict'] as const)(
  'with %s, no loop does unasked what is asked about at once',
  (preset) => {
    it.each(cases)('$way, which $what: $command', async ({ command }) => {
      expect((await gates[preset].verdictOn(command)).decision).toMatch(/^(?:ask|deny)$/)
    })

    it.each([
      'for f in $(git -C ~/other ls-files); do rm ~/other/$f; done',
      'git -C ~/other ls-files -z | while IFS= read -r -d "" f; do rm ~/other/"$f"; done',
      'ls ~/Pictures | while read p; do unlink ~/Pictures/$p; done',
      'for d in ~/*/; do rm -rf "$d"; done',
      'until [ -z "$(ls ~/Documents)" ]; do rm ~/Documents/"$(ls ~/Documents | head -1)"; done',
      `python3 -c "import os\nfor r, d, fs in os.walk('/home/u/Documents'):\n  for f in fs: os.remove(os.path.join(r, f))"`,
      `python3 -c "from pathlib import Path\nfor p in Path.home().joinpath('Documents').rglob('*'): p.unlink()"`,
      `node -e "const fs=require('fs');for(const f of fs.readdirSync('/home/u/Documents'))fs.rmSync('/home/u/Documents/'+f)"`,
      `ruby -e 'Dir.glob(File.join(Dir.home, "Documents/*")).each { |f| File.delete(f) }'`,
    ])('%s', async (command) => {
      expect((await gates[preset].verdictOn(command)).decision).toMatch(/^(?:ask|deny)$/)
    })
  },
)

it.each([
  'for f in $(git ls-files \'*.orig\'); do rm "$f"; done',
  'for f in dist/*; do rm "$f"; done',
  'find . -name \'*.pyc\' | while read f; do rm "$f"; done',
  'for f in /tmp/mine-*; do rm -f "$f"; done',
  'T=$(mktemp -d); for f in "$T"/*; do rm "$f"; done',
  'for f in ~/Documents/*; do wc -l "$f"; done',
  'for f in src/*.jsx; do mv "$f" "${f%.jsx}.tsx"; done',
  'find ~/Documents -type f | while read f; do md5sum "$f"; done',
  'for f in ~/Downloads/export-*.csv; do mv "$f" data/; done',
  'ls ~/proj/dist | xargs -n1 -I{} rm -r ~/proj/dist/{}',
])('passes where it reaches only what may go: %s', async (command) => {
  expect((await gates.recommended.verdictOn(command)).decision).toBe('abstain')
})
