import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placesFor, problemText, readRules, type RulesOptions } from '../../../src/rules/index.ts'
import { testPolicies } from '../../support/sandbox.ts'
import { folderWith, rulesWith, writeFiles } from '../../support/workspace.ts'

const rules = rulesWith('PreToolUse', 'true')
const script = { script: '#!/bin/sh\n' }

/** Creates `home/`, `managed/` and the workspaces that a test puts beside them. */
function machine(files: Parameters<typeof folderWith>[0]) {
  const folder = folderWith(files)
  const read = async (roots: readonly string[], options: RulesOptions = {}) => {
    const places = placesFor({
      home: join(folder, 'home'),
      managedFolder: join(folder, 'managed'),
      env: {},
      platform: 'linux',
      cwd: folder,
      ...options,
    })
    const { ruleSet, problems } = await readRules(
      places,
      roots.map((root) => join(folder, root)),
      testPolicies(),
    )
    return {
      ruleSet,
      ids: ruleSet.rules.map(({ id }) => id),
      problems: problems.map((problem) => problemText(problem).replaceAll(`${folder}/`, '')),
    }
  }
  return { folder, read }
}

const first = '#PreToolUse[0].hooks[0]'

describe('the places that rules are read from', () => {
  it('are read in the order of their authority, and within one scope in a fixed order', async () => {
    const { read } = machine({
      'managed/hooks.json': rules,
      'one.json': rules,
      'two.json': rules,
      'home/.config/hookgate/hooks.json': rules,
      'home/.cline/hooks.json': rules,
      'home/Documents/Cline/Hooks/PreToolUse': script,
      'home/.cline/hooks/PreToolUse': script,
      'work/.git/HEAD': '',
      'work/.hookgate/hooks.json': rules,
      'work/.cline/hooks.json': rules,
      'work/.clinerules/hooks/PreToolUse': script,
      'work/.clinerules/hooks/TaskStart': script,
      'work/.cline/hooks/PreToolUse': script,
    })
    expect((await read(['work'], { explicit: ['two.json', './one.json'] })).ids).toEqual([
      `managed:hooks.json${first}`,
      `explicit:two.json${first}`,
      `explicit:one.json${first}`,
      `user:hooks.json${first}`,
      `user:.cline/hooks.json${first}`,
      'user:Documents/Cline/Hooks/PreToolUse',
      'user:.cline/hooks/PreToolUse',
      `project:hooks.json${first}`,
      `project:.cline/hooks.json${first}`,
      'project:.clinerules/hooks/PreToolUse',
      'project:.clinerules/hooks/TaskStart',
      'project:.cline/hooks/PreToolUse',
    ])
  })

  it('include on Linux the documents folder of Cline’s extension, as `xdg-user-dir` reports it', async () => {
    const { folder, read } = machine({
      'home/Documents/Cline/Hooks/PreToolUse': script,
      'home/Cline/Hooks/PreToolUse': script,
      'home/Meine Dokumente/Cline/Hooks/PreToolUse': script,
      'elsewhere/Cline/Hooks/PreToolUse': script,
    })
    const usual = 'user:Documents/Cline/Hooks/PreToolUse'
    const userDirs = (text: string) => writeFiles(folder, { 'home/.config/user-dirs.dirs': text })
    expect((await read([])).ids).toEqual([usual, 'user:Cline/Hooks/PreToolUse'])
    expect((await read([], { platform: 'darwin' })).ids).toEqual([usual])
    userDirs('# XDG_DOCUMENTS_DIR="/no"\nXDG_DOCUMENTS_DIR="$HOME/Meine Dokumente"\nXDG_MUSIC_DIR="$HOME/M"\n')
    expect((await read([])).ids).toEqual([usual, 'user:Meine Dokumente/Cline/Hooks/PreToolUse'])
    userDirs(`XDG_DOCUMENTS_DIR="${folder}/elsewhere"\n`)
    expect((await read([])).ids).toEqual([usual, 'user:../elsewhere/Cline/Hooks/PreToolUse'])
    userDirs('XDG_DOCUMENTS_DIR="$HOME/Documents"\n')
    expect((await read([])).ids).toEqual([usual])
    userDirs('XDG_DOCUMENTS_DIR="$HOME/"\n')
    expect((await read([])).ids).toEqual([usual, 'user:Cline/Hooks/PreToolUse'])
  })

  it('may all be empty', async () => {
    expect(await machine({ 'work/a': '' }).read(['work'])).toMatchObject({ ids: [], problems: [] })
    expect(await machine({}).read([])).toMatchObject({ ids: [], problems: [] })
  })

  it('are only the explicit ones without discovery', async () => {
    const { read } = machine({
      'managed/hooks.json': rules,
      'home/.cline/hooks.json': rules,
      'work/.hookgate/hooks.json': rules,
      'one.json': rules,
    })
    expect((await read(['work'], { discover: false, explicit: ['one.json'] })).ids).toEqual([
      `explicit:one.json${first}`,
    ])
  })

  it('follow XDG_CONFIG_HOME if it is absolute', async () => {
    const { folder, read } = machine({
      'config/hookgate/hooks.json': rules,
      'home/.config/hookgate/hooks.json': rulesWith('Stop', 'true'),
    })
    expect((await read([], { env: { XDG_CONFIG_HOME: join(folder, 'config') } })).ids).toEqual([
      `user:hooks.json${first}`,
    ])
    expect((await read([], { env: { XDG_CONFIG_HOME: 'config' } })).ids).toEqual(['user:hooks.json#Stop[0].hooks[0]'])
  })

  it('have distinct ids for each of several roots', async () => {
    const { folder, read } = machine({
      'api/.hookgate/hooks.json': rules,
      'web/.clinerules/hooks/Stop': '',
      'web/.clinerules/hooks/PreToolUse': script,
      'a/web/.hookgate/hooks.json': rules,
    })
    expect((await read(['api', 'web'])).ids).toEqual([
      `project:api/hooks.json${first}`,
      'project:web/.clinerules/hooks/PreToolUse',
    ])
    expect((await read(['a/web', 'web'])).ids).toEqual([
      `project:${folder}/a/web/hooks.json${first}`,
      `project:${folder}/web/.clinerules/hooks/PreToolUse`,
    ])
  })

  it('include the folders above a root up to its repository', async () => {
    const { read } = machine({
      '.hookgate/hooks.json': rules,
      'repo/.git/HEAD': '',
      'repo/.hookgate/hooks.json': rules,
      'repo/packages/.clinerules/hooks/PreToolUse': script,
      'repo/packages/one/.hookgate/hooks.json': rules,
    })
    expect((await read(['repo/packages/one'])).ids).toEqual([
      `project:packages/one/hooks.json${first}`,
      'project:packages/.clinerules/hooks/PreToolUse',
      `project:hooks.json${first}`,
    ])
    expect((await read(['repo/packages'])).ids).toEqual([
      'project:packages/.clinerules/hooks/PreToolUse',
      `project:hooks.json${first}`,
    ])
    expect((await read(['repo'])).ids).toEqual([`project:hooks.json${first}`])
  })

  it('exclude the folders above the home, and the home as a repository', async () => {
    const { read } = machine({
      '.git/HEAD': '',
      '.hookgate/hooks.json': rules,
      'home/.git/HEAD': '',
      'home/.hookgate/hooks.json': rules,
      'home/loose/.hookgate/hooks.json': rules,
    })
    expect((await read(['home/loose'])).ids).toEqual([`project:hooks.json${first}`])
  })

  it('exclude the folders above a root outside of any repository', async () => {
    const { read } = machine({ '.hookgate/hooks.json': rules, 'loose/one/.hookgate/hooks.json': rules })
    expect((await read(['loose/one'])).ids).toEqual([`project:hooks.json${first}`])
  })

  it('count once, with the most authority, however they are reached', async () => {
    const { folder, read } = machine({
      'home/.cline/hooks.json': rules,
      'home/Documents/Cline/Hooks/PreToolUse': script,
      'repo/.git/HEAD': '',
      'repo/.hookgate/hooks.json': rules,
      'repo/a/x': '',
      'repo/b/x': '',
    })
    symlinkSync(join(folder, 'repo'), join(folder, 'link'))
    expect((await read(['home'])).ids).toEqual([
      `user:.cline/hooks.json${first}`,
      'user:Documents/Cline/Hooks/PreToolUse',
    ])
    const elsewhere = { home: join(folder, 'other-home') }
    expect((await read(['repo', 'link'], elsewhere)).ids).toEqual([`project:repo/hooks.json${first}`])
    expect((await read(['repo/a', 'repo/b'], elsewhere)).ids).toEqual([`project:hooks.json${first}`])
    const given = await read(['repo'], { ...elsewhere, explicit: ['repo/.hookgate/hooks.json'] })
    expect(given.ids).toEqual([`explicit:repo/.hookgate/hooks.json${first}`])
    expect(given.ruleSet.rules[0]?.untrustedReason).toBeUndefined()
  })

  it('count in each workspace that one file is linked into, since its commands run there', async () => {
    const { folder, read } = machine({
      'repo/shared/hooks.json': rules,
      'repo/a/.hookgate/x': '',
      'repo/.git/HEAD': '',
      'repo/sub/.hookgate/x': '',
      'repo/.hookgate/x': '',
    })
    for (const root of ['repo/a', 'repo', 'repo/sub']) {
      symlinkSync(join(folder, 'repo/shared/hooks.json'), join(folder, root, '.hookgate/hooks.json'))
    }
    expect((await read(['repo/a', 'repo/sub'])).ids).toEqual([
      `project:a/hooks.json${first}`,
      `project:hooks.json${first}`,
      `project:sub/hooks.json${first}`,
    ])
    const given = await read(['repo/a', 'repo/sub'], { explicit: ['repo/shared/hooks.json'] })
    expect(given.ids).toEqual([`explicit:repo/shared/hooks.json${first}`])
  })
})

describe('a path named almost like one that rules are read from', () => {
  const text = JSON.stringify(rules.json)
  const exact = 'ignored: names are matched exactly; rename it to'

  it.each([
    ['hook.json', text],
    ['Hooks.json', text],
    ['hooks.jsonc', `// mine\n${text}`],
    ['rules.json', '{"packs": []}'],
    ['hooks.yaml', 'hooks:\n  PreToolUse: []\n'],
  ])('is warned about if it is a file with rules: %s', async (name, content) => {
    const { read } = machine({
      [`managed/${name}`]: content,
      [`home/.config/hookgate/${name}`]: content,
      [`work/.hookgate/${name}`]: content,
      [`named/.hookgate/hooks.json`]: rules,
      [`named/.hookgate/${name}`]: content,
    })
    expect((await read(['work'], { explicit: ['named'] })).problems).toEqual(
      ['managed', 'named/.hookgate', 'home/.config/hookgate', 'work/.hookgate'].map(
        (folder) => `${folder}/${name}: ${exact} \`hooks.json\``,
      ),
    )
  })

  it('is warned about if it is a folder without policies, or not a folder', async () => {
    const { folder, read } = machine({
      'a/.hookgate/policy/a.policy.ts': '',
      'b/.hookgate/Policies/a.policy.ts': '',
      'c/.hookgate/policies': '',
      'd/.hookgate': text,
      'e/x': '',
    })
    symlinkSync(join(folder, 'e/nowhere'), join(folder, 'e/.hookgate'))
    expect((await read(['a', 'b', 'c', 'd', 'e'])).problems).toEqual([
      `a/.hookgate/policy: ${exact} \`policies\``,
      `b/.hookgate/Policies: ${exact} \`policies\``,
      'c/.hookgate/policies: ignored: it is not a folder; replace it with a folder, and put the policies into it',
      'd/.hookgate: no rules are read from here: it is not a folder; replace it with a folder, and put the rules into a hooks.json in it',
      'e/.hookgate: the rules cannot be read: it is a symbolic link that leads nowhere; fix or remove it',
    ])
  })

  it('is not warned about if it has no rules', async () => {
    const { read } = machine({
      'work/.hookgate/hooks.json': rules,
      'work/.hookgate/hook.json': '{"name": "x"}',
      'work/.hookgate/hooks/guard.sh': script,
      'work/.hookgate/other.json': text,
      'work/.hookgate/README.md': 'hooks: none',
    })
    expect((await read(['work'])).problems).toEqual([])
  })

  it('is warned about among policies, by the end of its name', async () => {
    const { read } = machine({
      'work/.hookgate/policies/M.Policy.ts': '',
      'work/.hookgate/policies/a.policy.ts/x': '',
      'work/.hookgate/policies/k.policy.tsx': '',
      'work/.hookgate/policies/l.policy.cjs': '',
      'work/.hookgate/policies/m.policy.MTS': '',
      'work/.hookgate/policies/n.policy.test.ts': '',
      'work/.hookgate/policies/o.policy.md': '',
      'work/.hookgate/policies/p.cts': 'export default definePolicy({})',
    })
    const named = (name: string, called: string) =>
      `work/.hookgate/policies/${name}: this policy is not loaded: its name does not mark it as a policy; rename it to \`${called}\``
    expect((await read(['work'])).problems).toEqual([
      named('M.Policy.ts', 'M.policy.ts'),
      expect.stringMatching(
        /^work\/.hookgate\/policies\/a.policy.ts: this is a folder, not a policy file, despite its name: only/,
      ),
      named('k.policy.tsx', 'k.policy.ts'),
      named('l.policy.cjs', 'l.policy.js'),
      named('m.policy.MTS', 'm.policy.mts'),
      named('p.cts', 'p.policy.ts'),
    ])
  })
})

describe('a folder of Cline hooks', () => {
  const hooks = '.clinerules/hooks'

  it('contains the files that are named after events, links included, folders excluded', async () => {
    const { folder, read } = machine({
      [`work/${hooks}/PreToolUse`]: script,
      [`work/${hooks}/pretooluse`]: script,
      [`work/${hooks}/Stop`]: script,
      'work/target': script,
      [`work/${hooks}/Notification/x`]: '',
    })
    symlinkSync(join(folder, 'work/target'), join(folder, 'work', hooks, 'PostToolUse'))
    expect((await read(['work'])).ids).toEqual([`project:${hooks}/PreToolUse`, `project:${hooks}/PostToolUse`])
  })

  it('may have a link that leads nowhere: for Cline there is no hook', async () => {
    const { folder, read } = machine({ [`work/${hooks}/PostToolUse`]: script })
    symlinkSync(join(folder, 'work/nowhere'), join(folder, 'work', hooks, 'PreToolUse'))
    expect(await read(['work'])).toMatchObject({
      ids: [expect.stringContaining('/PostToolUse')],
      problems: [
        `work/${hooks}/PreToolUse: this hook does not run: it is a symbolic link that leads nowhere; mend or remove the link`,
      ],
    })
  })

  it.each([hooks, '.cline/hooks'])(
    'may itself be a link that leads nowhere: for Cline there are no hooks: %s',
    async (at) => {
      const { folder, read } = machine({ [`work/${dirname(at)}/x`]: '' })
      symlinkSync(join(folder, 'work/nowhere'), join(folder, 'work', at))
      expect(await read(['work'])).toMatchObject({
        ids: [],
        problems: [
          `work/${at}: no hooks run from here: it is a symbolic link that leads nowhere; mend or remove the link`,
        ],
      })
    },
  )

  it('has its events refused if a hook links to itself: it may have been a guard', async () => {
    const { folder, read } = machine({ [`work/${hooks}/PostToolUse`]: script })
    symlinkSync('PreToolUse', join(folder, 'work', hooks, 'PreToolUse'))
    await expect(read(['work'])).resolves.toMatchObject({
      problems: [`work/${hooks}/PreToolUse: the hook cannot be read: its symbolic links form a loop; fix or remove it`],
    })
  })

  it('makes rules for the events as Cline means them, in its dialect', async () => {
    const { folder, read } = machine({ [`work/${hooks}/TaskResume`]: script })
    expect((await read(['work'])).ruleSet.rules[0]).toMatchObject({
      match: {
        spelled: 'TaskResume',
        events: ['SessionStart'],
        triggers: ['resume', 'fork'],
        matcher: { kind: 'any' },
      },
      handler: { dialect: 'cline', program: { form: 'script', file: join(folder, 'work', hooks, 'TaskResume') } },
      onFailure: 'continue',
      source: { file: join(folder, 'work', hooks), scope: 'project' },
    })
  })

  it('does not run a file without execute bit, and says so', async () => {
    const { folder, read } = machine({ [`work/${hooks}/PreToolUse`]: '#!/bin/sh\n' })
    expect(await read(['work'])).toMatchObject({
      ids: [],
      problems: [
        `work/${hooks}/PreToolUse: this hook is switched off: it has no execute bit; \`chmod +x\` switches it on`,
      ],
      ruleSet: {
        notes: [`project:${hooks}/PreToolUse is switched off: it has no execute bit (\`chmod +x\` switches it on)`],
      },
    })
    chmodSync(join(folder, 'work', hooks, 'PreToolUse'), 0o755)
    expect(await read(['work'])).toMatchObject({
      ids: [`project:${hooks}/PreToolUse`],
      problems: [],
      ruleSet: { notes: [] },
    })
  })

  it('contains PowerShell scripts on Windows, which need no execute bit', async () => {
    const { read } = machine({ [`work/${hooks}/PreToolUse.ps1`]: 'exit 0', [`work/${hooks}/PostToolUse`]: script })
    expect((await read(['work'], { platform: 'win32' })).ids).toEqual([`project:${hooks}/PreToolUse`])
    expect((await read(['work'])).ids).toEqual([`project:${hooks}/PostToolUse`])
  })

  it('has warnings for files that look like hooks and are not', async () => {
    const { read } = machine({
      [`work/${hooks}/PreToolUse.sh`]: script,
      [`work/${hooks}/PreTolUse`]: script,
      [`work/${hooks}/PreToolUse.md`]: '',
      [`work/${hooks}/PreToolUse.test.mjs`]: '',
      [`work/${hooks}/library.sh`]: '',
    })
    expect((await read(['work'])).problems.toSorted()).toEqual([
      `work/${hooks}/PreTolUse: this file is not a hook: Cline matches names exactly; did you mean \`PreToolUse\`?`,
      `work/${hooks}/PreToolUse.sh: this file is not a hook: Cline matches names exactly; rename it to \`PreToolUse\``,
    ])
  })
})

describe('an explicit path', () => {
  it.each([
    ['a rules file', 'rules/mine.json', [`explicit:rules/mine.json${first}`]],
    ['a folder with a rules file', 'rules/folder', [`explicit:rules/folder/hooks.json${first}`]],
    ['a Cline hooks folder', 'cline/', ['explicit:cline/PreToolUse']],
    ['one Cline hook', 'cline/PreToolUse', ['explicit:cline/PreToolUse']],
    ['a plugin', './plugin', [`explicit:plugin/hooks/hooks.json${first}`]],
    ['the rules file of a plugin', 'plugin/hooks/hooks.json', [`explicit:plugin/hooks/hooks.json${first}`]],
    ['the folder that Cline keeps its rules in', 'work/.clinerules', ['explicit:work/.clinerules/hooks/PreToolUse']],
    ['the folder that Cline keeps its hooks in', 'sdk/.cline', ['explicit:sdk/.cline/hooks/PreToolUse']],
    ['a copy of settings, whatever its name', 's.json', [`explicit:s.json${first}`]],
    ['the settings of Claude Code', '.claude/settings.json', [`explicit:.claude/settings.json${first}`]],
    [
      'a workspace',
      'work',
      [
        `explicit:work/.hookgate/hooks.json${first}`,
        `explicit:work/.cline/hooks.json${first}`,
        'explicit:work/.clinerules/hooks/PreToolUse',
      ],
    ],
  ])('may be %s', async (_, path, ids) => {
    const { read } = machine({
      'rules/mine.json': rules,
      'rules/folder/hooks.json': rules,
      'cline/PreToolUse': script,
      'plugin/hooks/hooks.json': rules,
      '.claude/settings.json': { json: { ...rules.json, permissions: {} } },
      's.json': { json: { ...rules.json, model: 'x' } },
      'sdk/.cline/hooks/PreToolUse': script,
      'work/.hookgate/hooks.json': rules,
      'work/.cline/hooks.json': rules,
      'work/.clinerules/hooks/PreToolUse': script,
    })
    expect(await read([], { explicit: [path] })).toMatchObject({ ids, problems: [] })
  })

  it('may be absolute, or relative to the gate’s working directory', async () => {
    const { folder, read } = machine({ 'hooks.json': rules, PreToolUse: script })
    expect((await read([], { explicit: [join(folder, 'hooks.json')] })).ids).toEqual([
      `explicit:${folder}/hooks.json${first}`,
    ])
    expect((await read([], { explicit: ['.'] })).ids).toEqual([`explicit:hooks.json${first}`, 'explicit:./PreToolUse'])
    expect((await read([], { explicit: ['PreToolUse'] })).ids).toEqual(['explicit:./PreToolUse'])
  })

  it('determines the root of a plugin', async () => {
    const { folder, read } = machine({ 'plugin/hooks/hooks.json': rulesWith('PreToolUse', '${CLAUDE_PLUGIN_ROOT}/x') })
    for (const path of ['plugin', 'plugin/hooks/hooks.json']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is soon enough
      const [rule] = (await read([], { explicit: [path] })).ruleSet.rules
      expect(rule?.source.pluginRoot).toBe(join(folder, 'plugin'))
      expect(rule).toMatchObject({ handler: { env: { CLAUDE_PLUGIN_ROOT: join(folder, 'plugin') } } })
    }
  })

  it.each([
    ['none', 'none: the rules file does not exist; name an existing file or folder'],
    [
      'empty',
      'empty: this folder has no rules; name a hooks.json, a Cline hooks folder, the root of a plugin, a policy, or a folder that holds one',
    ],
    ['package.json', 'package.json:1:1: there are no rules: `hooks` is missing; write `{"hooks": {}}`'],
    ['own/hooks.json', 'own/hooks.json:1:1: unknown key `name`'],
    ['hooks.json/under', 'hooks.json/under: the rules file does not exist; name an existing file or folder'],
  ])('that is %j is an error, since it has no rules', async (path, problem) => {
    const { folder, read } = machine({
      'package.json': '{"name": "x"}',
      'own/hooks.json': '{"name": "x", "hooks": {}}',
      'hooks.json': rules,
    })
    mkdirSync(join(folder, 'empty'))
    expect(
      (await read([], { explicit: [path] })).problems.map((text) => text.replace(':1:2: unknown', ':1:1: unknown')),
    ).toEqual([problem])
  })

  it("may be an agent's settings without hooks", async () => {
    const { read } = machine({ '.claude/settings.json': '{"model": "x"}' })
    expect(await read([], { explicit: ['.claude/settings.json'] })).toMatchObject({ problems: [], ids: [] })
  })

  it('may have hooks that are switched off, which differs from none', async () => {
    const { read } = machine({ 'cline/PreToolUse': '' })
    const { ids, problems, ruleSet } = await read([], { explicit: ['cline'] })
    expect({ ids, problems }).toEqual({
      ids: [],
      problems: ['cline/PreToolUse: this hook is switched off: it has no execute bit; `chmod +x` switches it on'],
    })
    expect(ruleSet.notes.join()).toMatch('explicit:cline/PreToolUse is switched off')
  })
})

describe('which Cline hook runs, of a global and a project one of the same name', () => {
  const files = {
    'home/Documents/Cline/Hooks/PreToolUse': script,
    'home/Documents/Cline/Hooks/TaskStart': script,
    'work/.clinerules/hooks/PreToolUse': script,
  }
  const [global, globalStart, project] = [
    'user:Documents/Cline/Hooks/PreToolUse',
    'user:Documents/Cline/Hooks/TaskStart',
    'project:.clinerules/hooks/PreToolUse',
  ]

  it('is both, as in Cline itself', async () => {
    expect((await machine(files).read(['work'], { trustWorkspace: true })).ids).toEqual([global, globalStart, project])
  })

  it('is the project one, as Cline’s reference says, with that option', async () => {
    const { ids, ruleSet } = await machine(files).read(['work'], { trustWorkspace: true, clinePrecedence: 'project' })
    expect(ids).toEqual([globalStart, project])
    expect(ruleSet.notes).toEqual([`${global} is replaced by ${project}`])
  })

  it('is never only an untrusted or switched-off project one', async () => {
    expect((await machine(files).read(['work'], { clinePrecedence: 'project' })).ids).toEqual([
      global,
      globalStart,
      project,
    ])
    const off = machine({ ...files, 'work/.clinerules/hooks/PreToolUse': '' })
    expect((await off.read(['work'], { trustWorkspace: true, clinePrecedence: 'project' })).ids).toEqual([
      global,
      globalStart,
    ])
  })

  it('is decided by the name alone: other sources of the same event stay', async () => {
    const { folder, read } = machine(files)
    writeFiles(folder, { 'home/.cline/hooks.json': rules })
    expect((await read(['work'], { trustWorkspace: true, clinePrecedence: 'project' })).ids).toContain(
      `user:.cline/hooks.json${first}`,
    )
  })
})
