import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placesFor, readRules, type RulesOptions, trustWorkspace } from '../../src/rules/index.ts'
import { testPolicies } from '../support/sandbox.ts'
import { folderWith, rulesWith, writeFiles } from '../support/workspace.ts'

// An attacker who can change a trusted workspace wants its hooks to run something that was not reviewed. Each of these
// commands runs `tools/guard.sh` without naming it in a way that could be pinned.

async function trusted(command: string, more: object = {}, files: Readonly<Record<string, string>> = {}) {
  const folder = folderWith({
    'home/x': '',
    'work/.git/HEAD': '',
    'work/.hookgate/hooks.json': rulesWith('PreToolUse', command, { ...more }),
    'work/tools/guard.sh': 'exit 0',
    ...files,
  })
  const work = join(folder, 'work')
  const options: RulesOptions = { home: join(folder, 'home'), managedFolder: folder, env: {}, cwd: folder }
  await trustWorkspace(work, options, testPolicies())
  const read = () => readRules(placesFor(options), [work], testPolicies())
  return { work, untrustedReason: async () => (await read()).ruleSet.rules[0]?.untrustedReason }
}

describe('a command', () => {
  it.each([
    'sh tools/g*.sh',
    'sh tools/guard.s?',
    'sh tools/{guard,other}.sh',
    'for f in tools/*; do sh $f; done',
    '"$(git rev-parse --show-toplevel)/tools/guard.sh"',
    "sh -c 'sh tools/g*.sh'",
    'eval "sh tools/g*.sh"',
    'env sh -c \'cat x | sh -c "sh tools/g*.sh"\'',
    "sh $'tools/guard.sh'",
    'D=$(cat d); sh $D/guard.sh',
    'cd "$(cat d)" && ./guard.sh',
    'f() { sh "$1"; }; f tools/g*.sh',
    'read -r f < list; exec "$f"',
    'xargs -n1 sh < list',
    'bash -c "$(cat tools/guard.sh)"',
    'mytool --run "sh tools/g*.sh"',
    'D=tools; mytool --run "sh \\$D/guard.sh"',
    'find tools -name "g*" -exec sh {} +',
    'sh ~+/tools/guard.sh',
    'case x in x) sh tools/g*.sh;; esac',
    'sh <<END\nsh tools/g*.sh\nEND',
  ])('that may run anything is not trusted, and the reason has a remedy: %j', async (command) => {
    expect(await (await trusted(command)).untrustedReason()).toMatch(/does not say which files it runs: .*; move it in/)
  })

  it.each([
    'x=$(cat); echo no >&2; exit 2',
    'f=$(jq -r .tool_input.file_path); if [[ "$f" == *.js ]]; then echo "not $f" >&2; exit 2; fi',
    'x=$(cat); printf "%s" "$x" | grep -q secret && exit 2',
  ])('that runs nothing is trusted, whatever its words will be: %j', async (command) => {
    expect(await (await trusted(command)).untrustedReason()).toBeUndefined()
  })

  it.each([
    'x=$(cat); PATH=$(cat d) grep x',
    'x=$(cat); PATH="$x" cat x',
    'x=$(cat); rg --pre="$x" y',
    'x=$(cat); sort --compress-program="$x" y',
    'x=$(cat); alias cat=$x; cat y',
    'PATH=$x; grep x',
    'x=$(cat); printf -v PATH "$x"; grep x',
    'x=$(cat); printf "$x" a; grep x',
    'x=$(cat); $x',
    'grep . tools/* | python3',
    'x=$(cat); cat tools/* | sh',
    'x=$(cat); echo() { . tools/guard.sh; }; echo $x',
    'BASH_ENV=$(cat d) grep x',
    'x=$(cat); tools/$x',
  ])('that runs one thing which may be anything is not: %j', async (command) => {
    expect(await (await trusted(command)).untrustedReason()).toMatch(/does not say which files it runs/)
  })

  it('that may run anything is not trusted in exec form either', async () => {
    expect(await (await trusted('sh', { args: ['-c', 'sh tools/g*.sh'] })).untrustedReason()).toMatch(
      /does not say which files it runs/,
    )
    expect(await (await trusted('ls', { args: ['tools/g*.sh'] })).untrustedReason()).toBeUndefined()
  })

  it.each([
    'sh "$PWD/tools/guard.sh"',
    'cd tools && sh "${PWD}/guard.sh"',
    "sh -c 'sh tools/guard.sh'",
    'sh `echo tools/gu``echo ard.sh`',
    'D=tools; sh $D/guard.sh',
    'HOME=tools; sh "$HOME/guard.sh"',
    'for PWD in tools; do sh "$PWD/guard.sh"; done',
    'BASH_ENV=$(echo tools/guard.sh) bash -c :',
    'x=$(cat); sh tools/guard.sh; exit $?',
    'f() { sh "$1"; }; f tools/guard.sh',
    'case $1 in *) sh tools/"guard".sh;; esac',
    'sh <<END\nsh tools/guard.sh\nEND',
    'sh < tools/guard.sh',
    'mytool --run "sh tools/guard.sh"',
    "timeout 5 sh tools/gu'ard'.sh",
    'if true; then sh tools/guard.sh; fi',
  ])('that names what it runs in another way is trusted until that changes: %j', async (command) => {
    const { work, untrustedReason } = await trusted(command)
    expect(await untrustedReason()).toBeUndefined()
    writeFiles(work, { 'tools/guard.sh': 'exit 1' })
    expect(await untrustedReason()).toMatch('`tools/guard.sh` has changed since it was trusted')
  })

  const guard = { 'work/tools/guard.js': '', 'work/tools/index.js': '', 'work/guard.py': '', 'work/Makefile': '' }
  const manifest = { main: './tools/guard', scripts: { guard: 'node tools/guard.js', check: 'npm run check' } }
  const packaged = { ...guard, 'work/package.json': JSON.stringify(manifest), 'work/.env': '' }
  it.each([
    'node tools/guard',
    'cd tools && node guard',
    'node -e "require(\'./tools/guard\')"',
    'node tools',
    'cd tools && node .',
    'tsx tools/guard',
    'node .',
    'python3 -m guard',
    'python3 -c "import guard"',
    'make -s guard',
    'sudo make guard',
    "sh -c 'make guard'",
    'npm run -s guard',
    'npm test',
    'pnpm check',
    'bun run check',
    '/usr/bin/env node tools',
    'node tools package.json',
    'node --env-file .env tools',
    'node tools/guard.js .',
  ])('that runs what its program makes of a word is not trusted: %j', async (command) => {
    expect(await (await trusted(command, {}, packaged)).untrustedReason()).toMatch(/does not say which files it runs/)
  })

  it.each([
    'node tools/guard.js',
    'cd tools && node guard.js',
    '/usr/bin/env node ./tools/guard.js',
    'node "$PWD/tools/guard.js"',
  ])('that names the file for its program is trusted until that changes: %j', async (command) => {
    const { work, untrustedReason } = await trusted(command, {}, packaged)
    expect(await untrustedReason()).toBeUndefined()
    writeFiles(work, { 'tools/guard.js': ' ' })
    expect(await untrustedReason()).toMatch('`tools/guard.js` has changed since it was trusted')
  })

  it.each([
    ['node tools/later', 'tools/later.js'],
    ['node later', 'later/index.js'],
    ['python3 -m later', 'later/__main__.py'],
    ['python3 -m later.guard', 'later/guard.py'],
  ])(
    'that would run a file that was not there when it was trusted is trusted until it is: %j',
    async (command, file) => {
      const { work, untrustedReason } = await trusted(command, {}, guard)
      expect(await untrustedReason()).toBeUndefined()
      writeFiles(work, { [file]: '' })
      expect(await untrustedReason()).toMatch(/does not say which files it runs/)
    },
  )
})
