/* oxlint-disable no-await-in-loop -- one gate after the other */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { activeFileIn } from '../../src/bundle/machine/kept.ts'
import { pollStateIn } from '../../src/bundle/machine/poll-state.ts'
import { createGate } from '../../src/gate/gate.ts'
import { serveFolder } from '../support/bundle-server.ts'
import { channel, makeTeam } from '../support/bundles.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

/** A machine whose administrator refuses calls without signed rules, which it has never fetched. */
async function newMachine() {
  const team = makeTeam()
  team.publish('r1')
  const server = await serveFolder(team.repository.folder)
  const folder = folderWith({
    'home/x': '',
    'work/x': '',
    'managed/hooks.json': { json: { bundle: { url: server.url, channel, onMissing: 'block' } } },
    'managed/root.json': readFileSync(team.file('metadata/1.root.json'), 'utf8'),
  })
  const state = join(folder, 'state')
  const bundles = join(state, 'bundles')
  mkdirSync(state, { mode: 0o700 })
  const open = () => createGate({ home: join(folder, 'home'), env: {}, managedFolder: join(folder, 'managed'), state })
  return {
    server,
    bundles,
    open,
    /** What a gate that has just been started says of some calls, before it is stopped. */
    answers: async (...commands: readonly string[]) => {
      const gate = open()
      try {
        const decided: { readonly decision: string; readonly text: string }[] = []
        for (const command of commands) {
          const wire = claudeShell(command, join(folder, 'work'))
          const { decision, notices, reason } = await gate.decide(await gate.decode(wire, { agent: 'claude-code' }))
          decided.push({ decision, text: [...notices, reason].join('\n') })
        }
        return decided
      } finally {
        await gate.close()
      }
    },
    /** Has the last look be as long ago as a gate lives that is restarted again and again. */
    later: () => {
      const last = pollStateIn(bundles)
      const checkedAt = new Date(Date.now() - 25_000).toISOString()
      writeFileSync(join(bundles, 'poll.json'), `${JSON.stringify({ ...last, checkedAt })}\n`)
    },
    looks: () => server.requests.filter((path) => path.endsWith('timestamp.json')).length,
  }
}

const refused = {
  decision: 'deny',
  text: expect.stringContaining('the signed rules of the channel laptops are not in force') as unknown,
}

it('a gate that is restarted every 25 s looks each time, and has the rules as soon as the server is there', async () => {
  const { server, answers, later, looks } = await newMachine()
  server.at('timestamp.json', (response) => void response.writeHead(503).end())
  for (let restart = 1; restart <= 3; restart += 1) {
    expect(await answers('ls')).toEqual([refused])
    expect(looks()).toBe(restart)
    later()
  }
  server.asBefore()
  const [kept, other] = await answers('rm -rf x', 'ls')
  expect([kept?.decision, other?.decision]).toEqual(['deny', 'abstain'])
  expect(kept?.text).not.toContain('not in force')
})

it('processes for single events do not ask a server again and again that has just failed', async () => {
  const { server, answers, looks } = await newMachine()
  server.at('timestamp.json', (response) => void response.writeHead(503).end())
  for (let event = 0; event < 5; event += 1) expect(await answers('ls')).toEqual([refused])
  expect(looks()).toBe(1)
})

it('a server that hangs keeps the first decision waiting for a bounded time, and no later one', async () => {
  const { server, answers, looks } = await newMachine()
  server.at('timestamp.json', () => {})
  expect(await answers('ls', 'ls -l', 'pwd')).toEqual([refused, refused, refused])
  expect(looks()).toBe(1)
})

it.each(['garbage', '{"signed": {}, "signatures": []}', '', '\0'.repeat(100)])(
  'a server that answers %j gives a machine no rules, and calls are refused',
  async (text) => {
    const { server, answers, bundles } = await newMachine()
    server.at('timestamp.json', text)
    expect(await answers('ls', 'pwd')).toEqual([refused, refused])
    expect(existsSync(activeFileIn(bundles))).toBe(false)
  },
)

it('two gates that start at once both have the rules at their first decision, which one of them fetches', async () => {
  const { server, answers } = await newMachine()
  const both = await Promise.all([answers('rm -rf x', 'ls'), answers('rm -rf x', 'ls')])
  expect(both.map((said) => said.map(({ decision }) => decision))).toEqual([
    ['deny', 'abstain'],
    ['deny', 'abstain'],
  ])
  expect(server.requests.filter((path) => path.endsWith('bundle.json.gz'))).toHaveLength(1)
})
