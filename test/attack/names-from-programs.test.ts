import { afterAll, describe, expect, it } from 'vitest'
import { shellLimits } from '../../src/model/limits.ts'
import { factsOf } from '../support/shell-facts.ts'
import { protectedUser, refused } from '../support/self-protection.ts'
import { openPresetGate, openShippedGate } from '../support/shipped-gate.ts'

// An agent that does not write the name of a file, but has a program name it.

/** Ways of a word from a program to a command, around what names `settings.json` and what removes it. */
const ways: Readonly<Record<string, (names: string, remove: string) => string>> = {
  'a substitution': (names, remove) => `${remove} $(${names})`,
  'a quoted substitution': (names, remove) => `${remove} "$(${names})"`,
  backticks: (names, remove) => `${remove} \`${names}\``,
  'a variable': (names, remove) => `F=$(${names}); ${remove} "$F"`,
  'a variable of a variable': (names, remove) => `F=$(${names}); G=$F; ${remove} $G`,
  'an exported variable': (names, remove) => `export F="$(${names})"; sh -c '${remove} "$F"'`,
  'a loop over output': (names, remove) => `for f in $(${names}); do ${remove} "$f"; done`,
  'a loop that reads a pipe': (names, remove) => `${names} | while IFS= read -r f; do ${remove} "$f"; done`,
  'a loop that reads a substitution': (names, remove) => `while read f; do ${remove} "$f"; done < <(${names})`,
  'a loop that reads a here-string': (names, remove) => `while read f; do ${remove} "$f"; done <<< "$(${names})"`,
  'one read': (names, remove) => `${names} | { read f; ${remove} "$f"; }`,
  'a file': (names, remove) => `${names} > /tmp/l; ${remove} $(cat /tmp/l)`,
  'a file that is read': (names, remove) => `${names} > /tmp/l; while read f; do ${remove} "$f"; done < /tmp/l`,
  mapfile: (names, remove) => `mapfile -t a < <(${names}); ${remove} "\${a[@]}"`,
  'an element of mapfile': (names, remove) => `readarray -t a <<< "$(${names})"; ${remove} "\${a[0]}"`,
  'an array': (names, remove) => `a=($(${names})); for f in "\${a[@]}"; do ${remove} "$f"; done`,
  'the parameters': (names, remove) => `set -- $(${names}); ${remove} "$1"`,
  'a function': (names, remove) => `f() { ${remove} "$1"; }; f "$(${names})"`,
  'a further argument of a function': (names, remove) => `f() { shift; ${remove} "$@"; }; f x $(${names})`,
  'one branch': (names, remove) => `if [ -e x ]; then F=$(ls /tmp/x); else F=$(${names}); fi; ${remove} "$F"`,
  'one pass of a loop': (names, remove) =>
    `for i in 1 2; do ${remove} "$F"; if [ $i = 1 ]; then F=$(date); else F=$(${names}); fi; done; ${remove} "$F"`,
  'a default': (names, remove) => `${remove} "\${X:-$(${names})}"`,
  'an operation on a variable': (names, remove) => `F=$(${names}); ${remove} "\${F%.bak}"`,
  'a shell’s text': (names, remove) => `bash -c "${remove} $(${names})"`,
  eval: (names, remove) => `eval "${remove} $(${names})"`,
  'a here-document': (names, remove) => `sh <<E\n${remove} $(${names})\nE`,
  xargs: (names, remove) => `${names} | xargs ${remove}`,
  'xargs with a placeholder': (names, remove) => `${names} | xargs -I{} ${remove} {}`,
  'a shell of xargs': (names, remove) => `${names} | xargs sh -c 'for f; do ${remove} "$f"; done' _`,
  'a text of xargs': (names, remove) => `${names} | xargs -I{} sh -c '${remove} {}'`,
  parallel: (names, remove) => `${names} | parallel ${remove} {}`,
  'filters of names': (names, remove) => `${names} | sort -u | grep set | head -1 | tail -1 | xargs ${remove}`,
  'filters that change lines': (names, remove) =>
    `${remove} $(${names} | sed 's/x/y/' | awk '{print $1}' | tr -d '\\r')`,
  'the folder of it': (names, remove) => `${remove} "$(dirname "$(${names})")"/settings.json`,
  tee: (names, remove) => `${names} | tee /tmp/l | xargs ${remove}`,
  'what tee keeps': (names, remove) => `${names} | tee l > /dev/null; xargs ${remove} < l`,
  'a file that a filter writes': (names, remove) => `${names} | sort -o l; ${remove} $(cat l)`,
  'a file that dd writes': (names, remove) => `${names} | dd of=l; xargs ${remove} < l`,
  'a copy of a file': (names, remove) => `${names} > l; cp l m; xargs ${remove} < m`,
  'a moved file': (names, remove) => `${names} > l; mv l m; while read f; do ${remove} "$f"; done < m`,
  'a file that is added to': (names, remove) => `${names} > l; date >> l; ${remove} $(tail -2 l)`,
  'a file of names': (names, remove) => `${names} > l; xargs -a l ${remove}`,
  'a file of names for parallel': (names, remove) => `${names} > l; parallel ${remove} :::: l`,
  'stdin as a file for parallel': (names, remove) => `${names} | parallel ${remove} :::: -`,
  'a substitution as a file for parallel': (names, remove) => `parallel -a <(${names}) ${remove}`,
  'a coprocess': (names, remove) => `coproc ${names}; xargs ${remove} <&"\${COPROC[0]}"`,
  'a coprocess with a name': (names, remove) => `coproc F { ${names}; }; read f <&"\${F[0]}"; ${remove} "$f"`,
  'a loop that reads a coprocess': (names, remove) =>
    `coproc { ${names}; }; while read -u \${COPROC[0]} f; do ${remove} "$f"; done`,
  'a name that reads a pipe': (names, remove) => `${names} | read f; ${remove} "$f"`,
  'REPLY of a pipe': (names, remove) => `shopt -s lastpipe; ${names} | read; ${remove} "$REPLY"`,
  'an array that reads a pipe': (names, remove) => `${names} | mapfile -t a; ${remove} "\${a[@]}"`,
  'what a loop in a pipe leaves': (names, remove) => `${names} | while read f; do x=$f; done; ${remove} "$x"`,
  'an alias of the namer': (names, remove) => `alias l='${names}'\n${remove} $(l)`,
  'an alias in a pipe': (names, remove) => `alias l='${names}'\nl | xargs ${remove}`,
  'an alias in a loop': (names, remove) => `alias l='${names}'\nfor f in $(l); do ${remove} "$f"; done`,
}

const removals = [
  'rm',
  'rm -f',
  'rm -rf',
  'unlink',
  'truncate -s 0',
  'mv -t /tmp',
  'sed -i s/hooks/x/',
  'tee',
  'shred -u',
  'chmod 000',
  'cp /dev/null',
]

/** Programs that name the files of a folder, with the folder in place of `D`. */
const namers = [
  'find D -name settings.json',
  'find D -type f -print',
  'fd settings D',
  'ls D/*',
  'ls D/settings.json*',
  'ls -d D/*.json',
  'git -C D ls-files',
  'git -C D grep -l hooks',
  'git -C D diff --name-only',
  'git -C D status --porcelain',
  'rg -l hooks D',
  'rg --files D',
  'grep -rl hooks D',
  'grep -l hooks D/*',
  'ag -l hooks D',
  'echo D/*',
  "printf '%s\\n' D/*",
  'compgen -G "D/*"',
  'tree -fi D',
  'du -a D',
  'stat -c %n D/*',
  'realpath D/*',
  'readlink -f D/set*',
  'yes D/settings.json',
  'find D | python3 -c "import sys; print(sys.stdin.read())"',
  'python3 -c "import glob; print(glob.glob(\'D/*\'))"',
  'perl -e \'print "D/settings.json"\'',
  'node -p \'"D/settings.json"\'',
  'awk \'BEGIN { print "D/settings.json" }\'',
]

describe('a protected file that a program names is refused', () => {
  it.each(Object.entries(ways))('by way of %s', async (_, way) => {
    expect(await protectedUser().command(way('find ~/.claude -name settings.json', 'rm'))).toEqual(refused)
  })

  it.each([
    'find ~/.claude -fprint l',
    "find ~/.claude -fprintf l '%p\\n'",
    'find ~/.claude -name "set*" -fprint0 l',
    'tree -fi ~/.claude -o l',
    'find ~/.claude | sponge l',
  ])('where a file of names is made by %s', async (namer) => {
    expect(await protectedUser().command(`${namer}; xargs rm < l`)).toEqual(refused)
    expect(await protectedUser().command(`${namer}; rm $(cat l)`)).toEqual(refused)
  })

  it.each(namers)('where it is named by %s', async (namer) => {
    const user = protectedUser()
    const folder = user.at('home/.claude')
    expect(await user.command(`rm $(${namer.replaceAll('D', folder)})`)).toEqual(refused)
    expect(await user.command(`${namer.replaceAll('D', folder)} | while read f; do rm -f "$f"; done`)).toEqual(refused)
  })

  it.each(removals)('where it is removed by %s', async (removal) => {
    const user = protectedUser()
    expect(await user.command(`${removal} $(find ~/.claude -name settings.json)`)).toEqual(refused)
    expect(await user.command(`for f in $(ls ~/.claude); do ${removal} $f; done`)).toEqual(refused)
  })

  it.each([
    ['in the folder where it is', 'cd ~/.claude && rm $(ls)'],
    ['in a folder that changes in between', 'F=$(ls /tmp/names); cd ~/.claude; rm $F'],
    ['without its folder', 'cd ~/.claude && rm "$(basename /tmp/x/*)"'],
    ['without its folder, for each line', 'ls /tmp/names | (cd ~/.claude; while read f; do rm "$f"; done)'],
    ['by a redirection', 'echo {} > $(find ~/.claude -name settings.json)'],
    ['among others', 'rm $(find /tmp/x -type f; find ~/.claude -type f)'],
    ['behind others', '{ ls /tmp; find ~/.claude -type f; } | sort | xargs rm'],
    ['to code', 'find ~/.claude -type f | python3 -c "import os,sys\nfor l in sys.stdin: os.remove(l.strip())"'],
    ['to code, as an argument', 'python3 -c "import os,sys; os.remove(sys.argv[1])" "$(find ~/.claude -type f)"'],
  ])('%s', async (_, command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })

  it.each([
    'fd -x rm {} \\; settings ~/.claude',
    'fd -X rm \\; . ~/.claude',
    'fd --exec-batch rm -f {} \\; -H settings ~/.claude',
    'fd settings /tmp/x ~/.claude -x rm',
    'fdfind -x truncate -s 0 {} \\; settings /tmp/x ~/.claude',
    'fd settings -x mv {} /tmp \\; ~/.claude',
    'fd -H settings -X sed -i s/hooks/x/ \\; /tmp/x /tmp/y ~/.claude',
  ])('wherever fd has its folders: %s', async (command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })

  it.each([
    'rm $(find . -name "*.pyc")',
    'fd -e pyc . src test -x rm {} \\;',
    'cat $(find ~/.claude -name settings.json)',
    'for f in $(ls src); do wc -l "src/$f"; done',
    'rm $(git ls-files -d)',
    'ls -t ~/backups | tail -n +6 | xargs rm',
    'find /tmp/x -type f | while read f; do rm "$f"; done',
    'find ~/.claude -type f > l; wc -l < l; rm l',
    'find /tmp/x -fprint l; find ~/.claude > m; xargs rm < l',
    'ls ~/.claude | while read f; do x=$f; done; rm "$y"',
    "alias l='ls ~/.claude'\nl; rm a.txt",
    'coproc ls ~/.claude; rm a.txt',
  ])('and no other: %s', async (command) => {
    expect(await protectedUser().command(command)).toMatchObject({ decision: 'abstain' })
  })
})

describe('a folder that a program names, and what is named in it', () => {
  const gate = openPresetGate('/home/u', 'recommended')
  afterAll(() => gate.close())

  it.each([
    'cd "$(git rev-parse --git-dir)" && echo x > config',
    'cd $(git rev-parse --git-dir) && rm -rf hooks',
    'G=$(git rev-parse --git-dir); cd "$G"; sed -i s/a/b/ config',
    'cd "$(git rev-parse --git-dir)/hooks" && echo x > pre-commit',
    'pushd "$(git rev-parse --absolute-git-dir)" && tee config < x',
    'cd "$(git rev-parse --git-common-dir)" && cp a config',
    'cd "$(git rev-parse --git-path hooks)" && chmod -x *',
    '(cd `git rev-parse --git-dir`; rm -f hooks/pre-push)',
    "git -C sub rev-parse --git-dir | xargs -I{} sh -c 'echo x > {}/config'",
    'cd "$(git -C sub -c a.b=c rev-parse --git-dir)" && echo x > config',
    'chmod -x "$(git rev-parse --git-path hooks)"/*',
    'chmod -x $(git -C sub rev-parse --git-path hooks/pre-commit)',
    'H=$(git config core.hooksPath); rm "$H"/pre-commit',
    'H=$(git config --local --get core.hookspath); echo x > "$H/pre-commit"',
    'cd "$(git config get core.hooksPath)" && rm *',
    'cd "$(git rev-parse --show-toplevel)" && sed -i s/a/b/ .git/config',
    'cd "$(git rev-parse --show-toplevel)"/.git && echo x > config',
    'cd "$(git rev-parse --path-format=absolute --git-common-dir)" && echo x > config',
    'cd "$(git rev-parse --git-dir)"/.. && echo x > .git/config',
    'cd "$(git rev-parse --git-dir)/hooks" && echo x > ../config',
    'cd "$(git rev-parse --git-dir)"; cd hooks; cp /tmp/x pre-commit',
    'cd "$(git rev-parse --git-dir)"; cd refs; cd -; echo x > config',
    'cd "$(git rev-parse --git-dir)" && echo x > "$(pwd)/config"',
    'cd "$(git rev-parse --git-dir)" && echo x > "$PWD/hooks/pre-commit"',
    `cd "$(git rev-parse --git-dir)" && python3 -c "open('config','w').write('x')"`,
    `env -C "$(git rev-parse --git-dir)" sh -c 'echo x > config'`,
    'for d in $(git rev-parse --git-dir); do cd "$d" && echo x > config; done',
    'cd "$REPO/.git" && echo x > config',
  ])('are those of a repository, for the packs: %s', async (command) => {
    const { denied, asked } = await gate.judge(command)
    expect([...denied, ...asked]).toContain('git-folder')
  })

  it.each([
    'echo x > $(git rev-parse --show-toplevel)/.claude/settings.json',
    'cd "$(git rev-parse --show-toplevel)" && echo x > .claude/settings.json',
    'cd $(git rev-parse --show-toplevel)/.claude && rm settings.json',
    'cd "$(git rev-parse --show-cdup)" && echo x > .claude/settings.json',
    'cd ./$(git rev-parse --show-cdup) && rm .claude/settings.json',
    'cd "$(git rev-parse --show-superproject-working-tree)" && rm -rf .claude',
    'ROOT="$(git -C "$(dirname "$0")" rev-parse --show-toplevel)"; echo x > "$ROOT"/.claude/settings.local.json',
    'git rev-parse --show-toplevel | xargs -I{} rm {}/.claude/settings.json',
    'cd "$(git -C ~ rev-parse --show-toplevel)" && rm .claude/settings.json',
    'cd "$(hg root)" && echo x > .claude/settings.json',
    'cd "$(npm prefix)" && rm .claude/settings.json',
    'cd "$(npm root)/.." && rm .claude/settings.json',
    `cd "$(git worktree list | head -1 | cut -d' ' -f1)" && rm .claude/settings.json`,
    'cd "$(dirname "$(git rev-parse --git-dir)")" && echo x > .claude/settings.json',
    'sudo -D "$(git rev-parse --show-toplevel)" rm .claude/settings.json',
  ])('are asked about where they may be settings of an agent: %s', async (command) => {
    expect(await protectedUser().command(command)).toMatchObject({ decision: 'ask', by: refused.by })
    const { denied, asked } = await gate.judge(command)
    expect([...denied, ...asked]).not.toEqual([])
  })

  it.each([
    'cd "$(find ~/.claude -maxdepth 0)" && rm settings.json',
    'cd $(dirname $(find ~/.claude -name settings.json)) && rm *',
    'cd ~/.cl* && rm settings.json',
  ])('are protected where that is known: %s', async (command) => {
    expect(await protectedUser().command(command)).toEqual(refused)
  })

  it.each([
    'cd "$(git rev-parse --show-toplevel)" && npm test',
    'cd "$(git rev-parse --show-toplevel)" && mkdir -p build && echo x > build/a.txt',
    'cd "$(git rev-parse --show-toplevel)"; git add -A && git commit -m x',
    'cd "$(git rev-parse --show-toplevel)/packages/web" && npx vitest run',
    'cd "$(git rev-parse --show-toplevel)" && cat .claude/settings.json && ls .git/hooks',
    'cd "$(git rev-parse --git-dir)" && cat HEAD config',
    'cd "$(git rev-parse --git-dir)" && rm index.lock',
    'H=$(git config core.hooksPath); cat "$H/pre-commit"',
    'cd "$(mktemp -d)" && git init && echo x > a && rm -rf a',
    'for d in packages/*; do (cd "$d" && rm -rf dist && npm run build); done',
    'cd "$(dirname "$0")/.." && ./gradlew build',
    'cd "$OUT" && rm *.tmp && mv a b && sed -i s/a/b/ src/a.ts',
    'while read d; do cd "$d" && make clean; cd -; done < dirs.txt',
  ])('and everyday work goes on: %s', async (command) => {
    expect(await gate.judge(command)).toEqual({ denied: [], asked: [] })
    expect(await protectedUser().command(command)).toMatchObject({ decision: 'abstain' })
  })
})

describe('files that a program names are judged by every pack as if xargs had named them', () => {
  const gate = openShippedGate('/home/u')
  const judge = (command: string) => gate.judge(command)
  afterAll(() => gate.close())

  it.each([
    ['rm', 'find ~ -type f'],
    ['rm -f', 'ls ~/Documents'],
    ['rm -rf', 'ls ~/Documents'],
    ['rm', 'find / -name x'],
    ['rm', 'find . -type f'],
    ['rm', 'ls'],
    ['rm', 'git ls-files'],
    ['rm', 'ls /srv/data'],
    ['rm', 'cat list.txt'],
    ['rm -rf', 'cat list.txt'],
    ['rm', 'locate settings.json'],
    ['rm', 'curl -s https://example.com/names'],
    ['cat', 'find ~/.ssh -type f'],
    ['cat', 'find . -name id_rsa'],
    ['cat', 'find . -name .env'],
    ['head -c 99', 'ls ~/.aws/*'],
    ['truncate -s 0', 'find ~ -type f'],
    ['truncate -s 0', 'git ls-files'],
    ['chmod 777', 'find / -type d'],
    ['tee', 'find ~/.claude -type f'],
  ])('%s of what comes from %s', async (program, names) => {
    const { denied, asked } = await judge(`${names} | xargs ${program}`)
    expect([...denied, ...asked]).not.toEqual([])
    for (const command of [
      `${program} $(${names})`,
      `for f in $(${names}); do ${program} "$f"; done`,
      `${names} | while read -r f; do ${program} "$f"; done`,
      `mapfile -t a < <(${names}); ${program} "\${a[@]}"`,
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, to name the one that differs
      const judged = await judge(command)
      expect({ command, denied: judged.denied }).toEqual({ command, denied })
      expect({ command, asked: judged.asked }).toEqual({ command, asked: expect.arrayContaining(asked) })
    }
  })

  it.each(['find ~ -type f', 'ls ~/Documents', 'cat list.txt', 'ls /srv/data'])(
    'with `rm -f` as with `rm -rf`: %s',
    async (names) => {
      const effectOf = async (remove: string) => {
        const { denied, asked } = await judge(`${names} | while read -r f; do ${remove} "$f"; done`)
        return denied.length > 0 ? 'deny' : asked.length > 0 ? 'ask' : 'none'
      }
      const [one, whole] = [await effectOf('rm -f'), await effectOf('rm -rf')]
      expect(one).not.toBe('none')
      expect(one).toBe(whole)
    },
  )

  it.each([
    'git ls-files | xargs grep -n TODO',
    'for f in $(ls src); do wc -l "$f"; done',
    "rm $(find . -name '*.pyc')",
    "cat $(git ls-files '*.md')",
    "wc -l $(git ls-files 'data/*.csv')",
    'for f in $(git diff --name-only); do prettier --write $f; done',
    'kill $(lsof -t -i:3000)',
    'docker rm $(docker ps -aq)',
    'cd "$(git rev-parse --show-toplevel)" && npm test',
    'tmp=$(mktemp "${TMPDIR:-/tmp}/x.XXXXXX"); curl -s localhost > "$tmp"; rm -f "$tmp"',
    'rm "build-$(date +%F).log"',
    'vim $(rg -l TODO src)',
    'ls -t logs | tail -n +6',
    'while read -r line; do echo "$line"; done < notes.txt',
    'eslint $(git diff --name-only --diff-filter=d main | grep ts$)',
    'sed -i s/a/b/ $(grep -rl a src)',
  ])('and everyday work goes on: %s', async (command) => {
    const { denied, asked } = await judge(command)
    expect([...denied, ...asked].filter((rule) => /deletion|emptying|credential|env-files|mass/.test(rule))).toEqual([])
  })
})

it('a command that names more places than are followed says so, and leaves the rest unknown', () => {
  const many = Array.from({ length: shellLimits.namedPlacesMax + 1 }, (_, at) => `/srv/${at}`).join(' ')
  const { commands, uncertain } = factsOf(`rm $(find ${many})`)
  const rm = commands.find(({ program }) => program === 'rm')
  expect(rm?.paths.at(-1)).toMatchObject({ access: 'delete', unresolved: true })
  expect(rm?.paths.at(-1)?.absolute).toBeUndefined()
  expect(uncertain).toContain('it touches more paths than are analyzed')
})
