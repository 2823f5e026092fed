import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placesFor, readRules, type RulesOptions, trustWorkspace } from '../../src/rules/index.ts'
import { testPolicies } from '../support/sandbox.ts'
import { folderWith, rulesWith, writeFiles } from '../support/workspace.ts'

// Whoever can change a trusted workspace would have its hooks run something else than what was looked at. Each of these
// runs `tools/guard.sh` without naming it in a way that could be pinned.

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
  return { work, distrust: async () => (await read()).ruleSet.rules[0]?.distrust }
}

describe('a command', () => {
  it.each([
    'sh tools/g*.sh',
    'sh tools/guard.s?',
    'sh tools/{guard,other}.sh',
    'for f in tools/*; do sh $f; done',
    '"$(git rev-parse --show-toplevel)/tools/guard.sh"',
    'sh `echo tools/gu``echo ard.sh`',
    "sh -c 'sh tools/g*.sh'",
    'eval "sh tools/g*.sh"',
    'env sh -c \'cat x | sh -c "sh tools/g*.sh"\'',
    "sh $'tools/guard.sh'",
    'D=tools; sh $D/guard.sh',
    'HOME=tools; sh "$HOME/guard.sh"',
    'for PWD in tools; do sh "$PWD/guard.sh"; done',
    'sh ~+/tools/guard.sh',
    'case x in x) sh tools/g*.sh;; esac',
    'sh <<END\nsh tools/g*.sh\nEND',
  ])('that may run anything is not trusted, and says how it could be: %j', async (command) => {
    expect(await (await trusted(command)).distrust()).toMatch(/^.* to tell which files it runs; move it in/)
  })

  it.each([
    'x=$(cat); echo no >&2; exit 2',
    'f=$(jq -r .tool_input.file_path); if [[ "$f" == *.js ]]; then echo "not $f" >&2; exit 2; fi',
    'x=$(cat); printf "%s" "$x" | grep -q secret && exit 2',
  ])('that runs nothing is trusted, whatever its words will be: %j', async (command) => {
    expect(await (await trusted(command)).distrust()).toBeUndefined()
  })

  it.each([
    'x=$(cat); PATH=$(echo tools) grep x',
    'PATH=$x; grep x',
    'x=$(cat); printf -v PATH "$x"; grep x',
    'x=$(cat); printf "$x" a; grep x',
    'x=$(cat); $x',
    'grep . tools/* | python3',
    'x=$(cat); cat tools/* | sh',
    'x=$(cat); echo() { . tools/guard.sh; }; echo $x',
    'BASH_ENV=$(echo tools/guard.sh) grep x',
    'x=$(cat); tools/$x',
  ])('that runs one thing which may be anything is not: %j', async (command) => {
    expect(await (await trusted(command)).distrust()).toMatch(/to tell which files it runs/)
  })

  it('that may run anything is not trusted without a shell of its own either', async () => {
    expect(await (await trusted('sh', { args: ['-c', 'sh tools/g*.sh'] })).distrust()).toMatch(
      /to tell which files it runs/,
    )
    expect(await (await trusted('ls', { args: ['tools/g*.sh'] })).distrust()).toBeUndefined()
  })

  it.each(['sh "$PWD/tools/guard.sh"', 'cd tools && sh "${PWD}/guard.sh"', "sh -c 'sh tools/guard.sh'"])(
    'that names what it runs in another way is trusted until that changes: %j',
    async (command) => {
      const { work, distrust } = await trusted(command)
      expect(await distrust()).toBeUndefined()
      writeFiles(work, { 'tools/guard.sh': 'exit 1' })
      expect(await distrust()).toMatch('`tools/guard.sh` has changed since it was trusted')
    },
  )

  const guard = { 'work/tools/guard.js': '', 'work/tools/index.js': '', 'work/guard.py': '', 'work/Makefile': '' }
  it.each([
    ['node tools/guard', 'tools/guard.js'],
    ['cd tools && node guard', 'tools/guard.js'],
    ['node -e "require(\'./tools/guard\')"', 'tools/guard.js'],
    ['node tools', 'tools/index.js'],
    ['cd tools && node .', 'tools/index.js'],
    ['tsx tools/guard', 'tools/guard.js'],
    ['node .', 'package.json'],
    ['node .', 'tools/guard.js'],
    ['python3 -m guard', 'guard.py'],
    ['python3 -c "import guard"', 'guard.py'],
    ['make -s guard', 'Makefile'],
    ['npm run -s guard', 'package.json'],
    ['npm run -s guard', 'tools/guard.js'],
    ['pnpm check', 'guard.py'],
  ])('that runs what its program makes of a word is trusted until that changes: %j, %s', async (command, file) => {
    const manifest = {
      main: './tools/guard',
      scripts: { guard: 'node tools/guard.js', precheck: 'python3 guard.py', check: 'npm run check' },
    }
    const { work, distrust } = await trusted(command, {}, { ...guard, 'work/package.json': JSON.stringify(manifest) })
    expect(await distrust()).toBeUndefined()
    writeFiles(work, { [file]: file.endsWith('.json') ? '{}' : ' ' })
    expect(await distrust()).toMatch(`\`${file}\` has changed since it was trusted`)
  })

  it('that runs a script of a package is not trusted any more when that is no JSON', async () => {
    const manifest = JSON.stringify({ scripts: { guard: 'node tools/guard.js' } })
    const { work, distrust } = await trusted('npm run guard', {}, { ...guard, 'work/package.json': manifest })
    expect(await distrust()).toBeUndefined()
    writeFiles(work, { 'package.json': ' ' })
    expect(await distrust()).toMatch(/to tell which files it runs/)
  })

  it.each([
    ['node tools/later', 'tools/later.js'],
    ['python3 -m later', 'later/__main__.py'],
    ['make', 'GNUmakefile'],
  ])(
    'that would run a file that was not there when it was trusted is trusted until it is: %j',
    async (command, file) => {
      const { work, distrust } = await trusted(command, {}, guard)
      expect(await distrust()).toBeUndefined()
      writeFiles(work, { [file]: '' })
      expect(await distrust()).toMatch(`\`${file}\` is new since the workspace was trusted`)
    },
  )

  it.each([
    ['/usr/bin/env node tools', 'tools/index.js'],
    ['node tools package.json', 'tools/index.js'],
    ['node --env-file .env tools', 'tools/index.js'],
    ['node tools/guard.js .', 'package.json'],
  ])('with a file beside a folder may run either, and is trusted until one changes: %j, %s', async (command, file) => {
    const files = { ...guard, 'work/package.json': '{}', 'work/.env': '' }
    const { work, distrust } = await trusted(command, {}, files)
    expect(await distrust()).toBeUndefined()
    writeFiles(work, { [file]: '{"main":"x"}' })
    expect(await distrust()).toMatch(`\`${file}\` has changed since it was trusted`)
  })

  it('that runs a script of a package is trusted until that changes, whatever other scripts there are', async () => {
    const manifest = JSON.stringify({ scripts: { other: 1, guard: 'node tools/guard.js' } })
    const { work, distrust } = await trusted('npm run guard', {}, { ...guard, 'work/package.json': manifest })
    expect(await distrust()).toBeUndefined()
    writeFiles(work, { 'tools/guard.js': ' ' })
    expect(await distrust()).toMatch('`tools/guard.js` has changed since it was trusted')
  })

  it.each(['[1]', '{', '{"scripts":{"guard":"x"},"scripts":{"guard":"y"}}'])(
    'that runs a script of a package which says %s is not trusted: its manager may read it in another way',
    async (manifest) => {
      const { distrust } = await trusted('npm run guard', {}, { 'work/package.json': manifest })
      expect(await distrust()).toMatch(/to tell which files it runs/)
    },
  )

  it('that runs a script of a package whose files cannot be told is not trusted', async () => {
    const scripts = { 'work/package.json': JSON.stringify({ scripts: { guard: 'sh tools/g*.sh' } }) }
    expect(await (await trusted('npm run guard', {}, scripts)).distrust()).toMatch(/to tell which files it runs/)
  })
})
