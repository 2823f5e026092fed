import { describe, expect, it } from 'vitest'
import { openEventFacts } from '../../src/facts/tool-call.ts'
import type { KeptRefusal } from '../../src/model/refusal.ts'
import type { DangerExample } from '../../src/policy/compile/definition/examples.ts'
import { permissionEntry } from '../../src/rules/load/permissions.ts'
import { openDangers } from '../../src/review/suggest/dangers.ts'
import { chooseExceptions } from '../../src/review/suggest/index.ts'
import { shellEvent } from '../support/plans.ts'

// A person who agrees twice to something grave has not said that it may never be asked about again.

const danger = (policy: string, command: string): DangerExample => ({
  policy,
  agent: 'claude-code',
  event: 'PreToolUse',
  cwd: '/work',
  kind: 'shell',
  name: 'Bash',
  input: { command },
  paths: [],
  command,
})
const examples = [
  danger('root', 'rm -rf /'),
  danger('delete', 'kubectl delete namespace prod'),
  danger('images', 'docker system prune -a --volumes'),
  danger('tables', 'cd db && psql -c "drop table users"'),
]
const factsOf = openEventFacts('/home/someone')
const dangers = openDangers(examples, (event) => factsOf(event, { HOME: '/home/someone' }))

const refusal = (command: string, name: string, severity?: 'low' | 'medium' | 'high' | 'critical'): KeptRefusal => ({
  version: 1,
  id: 'a',
  atMs: 0,
  agent: 'claude-code',
  session: 's',
  event: 'PreToolUse',
  toolName: 'Bash',
  subject: command,
  project: '/work',
  decision: 'ask',
  rules: [
    {
      id: `user:hooks.json/${name}`,
      name,
      effect: 'ask',
      reason: 'why',
      ...(severity !== undefined && { severity }),
      file: '/hooks.json',
      params: [],
      exceptions: [{ rule: name, command, project: '/work' }],
    },
  ],
  call: 'c',
})

async function chosen(kept: KeptRefusal) {
  const question = { event: shellEvent, times: 5, asker: 'hookgate', refusals: ['a'] } as const
  const choice = await chooseExceptions([question], { find: () => kept }, dangers, { leastTimes: 2, max: 20 })
  return { chosen: choice.chosen.map(({ exception }) => exception.command), rejected: choice.rejected }
}

describe('no exception is suggested', () => {
  it.each([
    ['kubectl delete ns prod', 'infrastructure/kubernetes', 'critical'],
    ['helm uninstall shop', 'infrastructure/kubernetes', 'critical'],
    ['terraform apply', 'infrastructure/infrastructure-as-code', 'high'],
    ['dropdb shop', 'infrastructure/database-servers', 'critical'],
    ['chmod -R 777 build', 'destructive/rights', 'high'],
    ['gh repo delete old', 'own/one', 'high'],
  ] as const)('for `%s`, which %s asks about: its severity is %s', async (command, name, severity) => {
    expect(await chosen(refusal(command, name, severity))).toEqual({
      chosen: [],
      rejected: [{ text: `${name}: ${command}`, danger: `what ${name} prevents is ${severity}` }],
    })
  })

  it.each([
    ['rm -r -f /', 'a/root'],
    ['rm --force --recursive /', 'a/root'],
    ['docker system prune --volumes -a', 'a/images'],
    ['docker system prune --all --volumes', 'a/images'],
  ])('for `%s`, which an example of %s holds in another form', async (command, name) => {
    expect((await chosen(refusal(command, name, 'medium'))).chosen).toEqual([])
  })

  it.each(['low', 'medium', undefined] as const)('unless it is neither: %s', async (severity) => {
    const command = 'npm run build'
    expect((await chosen(refusal(command, 'own/slow', severity))).chosen).toEqual([command])
  })
})

describe('no permission is suggested', () => {
  const allowed = async (text: string) => {
    const entry = permissionEntry(text, 'allow', '/home/someone')
    if ('message' in entry) throw new Error(entry.message)
    return dangers.allowedBy(entry)
  }

  it.each([
    'rm -fr /',
    'rm -r -f /',
    'rm -f --recursive /',
    '/bin/rm -rf /',
    'rm -rf -- /',
    'rm / -rf',
    'kubectl delete namespace prod',
    'docker system prune --volumes --all',
  ])('for `%s`, which an example of a danger holds in another form', async (command) => {
    expect(await allowed(`Bash(${command})`)).toBeDefined()
  })

  it.each(['rm -rf build', 'kubectl get namespace prod', 'docker system df', 'cd db', 'git push origin my-fix'])(
    'except for one such as `%s`',
    async (command) => {
      expect(await allowed(`Bash(${command})`)).toBeUndefined()
    },
  )
})
