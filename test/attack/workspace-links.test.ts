import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packFiles, packRules } from '../support/packs.ts'
import { policyMachine, policyRules, policyText } from '../support/policies.ts'
import { rulesWith } from '../support/workspace.ts'

// A cloned repository decides where its links lead. Rules are not read through a link out of the repository, and no
// message shows anything of the file that it leads to: not a word, not its name, not whether it exists.

const secret = 'hunter2 = s3cret'
const script = { script: '#!/bin/sh\necho s3cret\n' }
const outside = {
  'outside/token': secret,
  'outside/rules/hooks.json': secret,
  'outside/rules/policies/s3cret.policy.ts': secret,
  'outside/cline/hooks.json': secret,
  'outside/cline/hooks/PreToolUse': script,
  'outside/code/s3cret.policy.ts': secret,
  'outside/code/s3cret.ts': `const s3cret = definePolicy(`,
  'outside/lib/lib.ts': 'export const s3cret ! = 1',
  'outside/packs/s3cret/pack.json': secret,
}
const own = 'work/.hookgate/own'

interface Row {
  readonly name: string
  readonly files?: Parameters<typeof policyMachine>[0]
  /** Links in the workspace, and where they lead, relative to the folder of the link. */
  readonly links: Readonly<Record<string, string>>
  /** The rules that are refused are named by this file. */
  readonly at: string
  readonly says?: RegExp
}

const leadsOut = /: a symbolic link leads outside the workspace/

const rows: readonly Row[] = [
  { name: 'a rules file', links: { '.hookgate/hooks.json': '../../outside/token' }, at: '.hookgate/hooks.json' },
  {
    name: 'a link to a link',
    links: { '.hookgate/hooks.json': 'a/b.json', '.hookgate/a/b.json': '../../../outside/token' },
    at: '.hookgate/hooks.json',
  },
  { name: 'the folder of the rules', links: { '.hookgate': '../outside/rules' }, at: '.hookgate' },
  {
    name: 'a folder above the workspace',
    links: { '.hookgate/up': '../..', '.hookgate/hooks.json': 'up/outside/token' },
    at: '.hookgate/hooks.json',
  },
  { name: 'the rules of Cline', links: { '.cline/hooks.json': '../../outside/token' }, at: '.cline/hooks.json' },
  { name: 'the folder of Cline', links: { '.cline': '../outside/cline' }, at: '.cline/hooks.json' },
  {
    name: 'the folder of Cline’s hooks',
    links: { '.clinerules/hooks': '../../outside/cline/hooks' },
    at: '.clinerules/hooks',
  },
  { name: 'the folder above Cline’s hooks', links: { '.clinerules': '../outside/cline' }, at: '.clinerules/hooks' },
  {
    name: 'a hook of Cline',
    links: { '.clinerules/hooks/PreToolUse': '../../../outside/cline/hooks/PreToolUse' },
    at: '.clinerules/hooks/PreToolUse',
  },
  {
    name: 'a hook of Cline’s other folder',
    links: { '.cline/hooks/PreToolUse': '../../../outside/cline/hooks/PreToolUse' },
    at: '.cline/hooks/PreToolUse',
  },
  { name: 'the folder of policies', links: { '.hookgate/policies': '../../outside/code' }, at: '.hookgate/policies' },
  {
    name: 'a folder below the policies',
    links: { '.hookgate/policies/more': '../../../outside/code' },
    at: '.hookgate/policies/more',
  },
  {
    name: 'a policy',
    links: { '.hookgate/policies/a.policy.ts': '../../../outside/code/s3cret.policy.ts' },
    at: '.hookgate/policies/a.policy.ts',
  },
  {
    name: 'a file that looks like a policy',
    links: { '.hookgate/policies/a.ts': '../../../outside/code/s3cret.ts' },
    at: '.hookgate/policies/a.ts',
  },
  {
    name: 'an imported module',
    files: { 'work/.hookgate/policies/a.policy.ts': `import { s3 } from './lib.ts'\n${policyText('a')}` },
    links: { '.hookgate/policies/lib.ts': '../../../outside/lib/lib.ts' },
    at: '.hookgate/policies/a.policy.ts',
    says: /outside/,
  },
  {
    name: 'the folder of an imported module',
    files: { 'work/.hookgate/policies/a.policy.ts': `import { s3 } from './lib/lib.ts'\n${policyText('a')}` },
    links: { '.hookgate/policies/lib': '../../../outside/lib' },
    at: '.hookgate/policies/a.policy.ts',
    says: /outside/,
  },
  {
    name: 'a policy that the rules name',
    files: { 'work/.hookgate/hooks.json': policyRules('./a.policy.ts') },
    links: { '.hookgate/a.policy.ts': '../../outside/code/s3cret.policy.ts' },
    at: '.hookgate/hooks.json',
    says: /outside the workspace/,
  },
  {
    name: 'a folder in the path of a policy that the rules name',
    files: { 'work/.hookgate/hooks.json': policyRules('./up/up/outside/code/s3crte.policy.ts') },
    links: { '.hookgate/up': '../..' },
    at: '.hookgate/hooks.json',
    says: /outside the workspace/,
  },
  {
    name: 'the folder of a pack',
    files: { 'work/.hookgate/hooks.json': packRules({ pack: './own' }) },
    links: { '.hookgate/own': '../../outside/packs/s3cret' },
    at: '.hookgate/hooks.json',
    says: /outside the workspace/,
  },
  {
    name: 'the pack.json of a pack',
    files: { 'work/.hookgate/hooks.json': packRules({ pack: './own' }), ...packFiles(own) },
    links: { '.hookgate/own/pack.json': '../../../outside/token' },
    at: '.hookgate/own/pack.json',
    says: /outside/,
  },
  { name: 'a file of the system', links: { '.hookgate/hooks.json': '/etc/passwd' }, at: '.hookgate/hooks.json' },
  { name: 'the environment', links: { '.hookgate/hooks.json': '/proc/self/environ' }, at: '.hookgate/hooks.json' },
  {
    name: 'a file by way of the process',
    links: { '.hookgate/hooks.json': '/proc/self/root/etc/passwd' },
    at: '.hookgate/hooks.json',
  },
  { name: 'a device', links: { '.hookgate/hooks.json': '/dev/zero' }, at: '.hookgate/hooks.json' },
  {
    name: 'a file that is not there',
    links: { '.hookgate/hooks.json': '../../outside/none' },
    at: '.hookgate/hooks.json',
  },
  {
    name: 'a file in a folder that is not there',
    links: { '.hookgate/hooks.json': '../../none/none' },
    at: '.hookgate/hooks.json',
  },
]

function linked({ files = {}, links }: Pick<Row, 'files' | 'links'>) {
  const machine = policyMachine({ ...outside, ...files })
  for (const [link, target] of Object.entries(links)) {
    const path = join(machine.work, link)
    mkdirSync(dirname(path), { recursive: true })
    rmSync(path, { force: true })
    symlinkSync(target, path)
  }
  return machine
}

describe('a link out of the workspace is not followed, and nothing is told about its target:', () => {
  it.each(rows)('$name', async ({ files, links, at, says = leadsOut }) => {
    const { problems, ids } = await linked({ ...(files !== undefined && { files }), links }).read()
    expect(problems).toContainEqual(expect.stringContaining(`work/${at}`))
    expect(problems.filter((one) => one.includes(`work/${at}`)).join('\n')).toMatch(says)
    expect(problems.join('\n')).not.toMatch(/hunter2|s3cret|root:|PATH=/)
    expect(ids.filter((id) => !id.includes('/own/'))).toEqual([])
  })

  it('a named pipe', async () => {
    const machine = linked({ links: { '.hookgate/hooks.json': '../../outside/pipe' } })
    execFileSync('mkfifo', [join(machine.folder, 'outside/pipe')])
    expect((await machine.read()).problems.join()).toMatch(leadsOut)
  })

  it('a repository below another, to a file of the outer one', async () => {
    const machine = linked({
      files: { 'work/.env': secret, 'work/vendor/evil/.git/HEAD': '' },
      links: { 'vendor/evil/.hookgate/hooks.json': '../../../.env' },
    })
    const { problems } = await machine.read({}, [join(machine.work, 'vendor/evil')])
    expect(problems.join()).toMatch(leadsOut)
    expect(problems.join()).not.toMatch(/hunter2|s3cret/)
  })

  it.each([
    ['.hookgate/hooks.json', 'rules'],
    ['.clinerules/hooks', 'cline/hooks'],
    ['.clinerules/hooks/PreToolUse', 'cline/hooks/PreToolUse'],
  ])('says the same, and refuses, whether the target exists or not: %s', async (at, existing) => {
    const texts = ['token', existing, 'none', 'none/none', 'token/none'].map(async (target) =>
      (
        await linked({ links: { [at]: join('../'.repeat(at.split('/').length), 'outside', target) } }).read()
      ).problems.join(),
    )
    const said = await Promise.all(texts)
    expect(new Set(said).size).toBe(1)
    expect(said[0]).toMatch(/^error: work.*leads outside the workspace/)
  })

  it.each(['../../outside/code/s3crte.policy.ts', '../../outside/code/s3cret.policy.ts', '../../none/a.policy.ts'])(
    'the policy %s, named without a link',
    async (policy) => {
      const { problems } = await policyMachine({ ...outside, 'work/.hookgate/hooks.json': policyRules(policy) }).read()
      expect(problems).toEqual([
        expect.stringContaining(`the policy \`${policy}\` is outside the workspace; copy it into the workspace`),
      ])
    },
  )

  it.each(['../../outside/packs/s3crte', '../../outside/packs/s3cret', '../../none'])(
    'the pack %s, named without a link',
    async (pack) => {
      const { problems } = await policyMachine({ ...outside, 'work/.hookgate/hooks.json': packRules({ pack }) }).read()
      expect(problems).toEqual([
        expect.stringContaining(`the pack \`${pack}\` is outside the workspace; copy it into the workspace`),
      ])
    },
  )
})

describe('a link that stays in the repository is followed:', () => {
  const rules = rulesWith('PreToolUse', 'true')
  const first = '#PreToolUse[0].hooks[0]'

  it('of a rules file, of its folder, and of policies', async () => {
    const machine = linked({
      files: {
        'work/config/hooks.json': rules,
        'work/config/policies/a.policy.ts': policyText('a'),
        'work/shared/b.policy.ts': policyText('b'),
        'work/config/policies/x': '',
      },
      links: { '.hookgate': 'config' },
    })
    const { ids, problems } = await machine.read()
    expect(problems).toEqual([])
    expect(ids).toEqual([`project:hooks.json${first}`, 'project:policies#a'])
  })

  it('of a package, to the rules at the top of the same repository', async () => {
    const machine = linked({
      files: { 'work/rules/hooks.json': rules },
      links: { 'packages/one/.hookgate/hooks.json': '../../../rules/hooks.json' },
    })
    const { ids, problems } = await machine.read({}, [join(machine.work, 'packages/one')])
    expect(problems).toEqual([])
    expect(ids).toEqual([`project:packages/one/hooks.json${first}`])
  })

  it('of the home directory as a workspace: its files are the user’s own', async () => {
    const machine = policyMachine({
      'dotfiles/hooks.json': rules,
      'dotfiles/hooks/PreToolUse': script,
      'home/.cline/x': '',
    })
    const home = join(machine.folder, 'home')
    symlinkSync('../../dotfiles/hooks.json', join(home, '.cline/hooks.json'))
    symlinkSync('../../dotfiles/hooks', join(home, '.cline/hooks'))
    const { ids, problems } = await machine.read({}, [home])
    expect(problems).toEqual([])
    expect(ids).toEqual([`user:.cline/hooks.json${first}`, 'user:.cline/hooks/PreToolUse'])
  })

  it('of the user and of the administrator, wherever they lead', async () => {
    const machine = policyMachine({ 'dotfiles/hooks.json': rules, 'home/.config/hookgate/x': '', 'managed/x': '' })
    symlinkSync(join(machine.folder, 'dotfiles/hooks.json'), join(machine.folder, 'home/.config/hookgate/hooks.json'))
    expect(await machine.read()).toMatchObject({ problems: [], ids: [`user:hooks.json${first}`] })
  })
})
