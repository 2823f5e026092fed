import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { installContextFor } from '../../src/cli/args/flags.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { openLatestReader } from '../../src/record/read.ts'
import { allRoutes } from '../../src/ui/api.ts'
import { append, recordWith, refusedBy } from '../support/records.ts'
import { folderWith } from '../support/workspace.ts'

const dayMs = 86_400_000
const decisions = 100_000
const days = 28
const agents = ['claude-code', 'codex', 'cursor', 'gemini-cli']
const rules = Array.from({ length: 100 }, (_, index) => `user:hooks.json/pack-${index % 8}/rule-${index}`)

/** Every request that a view makes when it opens, and the dearest filters: those that match next to nothing. */
const requests = (nowMs: number, project: string) =>
  [
    ['decisions', { limit: 100 }],
    ['decisions', { limit: 500, beforeSeq: decisions / 2 }],
    ['decisions', { limit: 100, text: 'nowhere to be found' }],
    ['decisions', { limit: 100, rule: 'no-such-rule' }],
    ['decisions', { limit: 100, session: 'nobody' }],
    ['decisions', { limit: 100, project: '/nowhere' }],
    ['decisions', { limit: 100, marks: ['approved'] }],
    ['sessions', {}],
    ['session', { agent: 'codex', session: 'codex-300' }],
    ['sessionCalls', { agent: 'codex', ids: ['codex-300'], fromSeq: 1, limit: 100 }],
    ['sessionStates', { agent: 'codex', session: 'codex-300' }],
    ['choices', {}],
    ['today', { sinceMs: nowMs - dayMs }],
    ['history', { startsMs: Array.from({ length: 90 }, (_, index) => nowMs - (90 - index) * dayMs) }],
    ['week', { beforeMs: nowMs - 14 * dayMs, sinceMs: nowMs - 7 * dayMs }],
    ['rules', { project }],
    ['exceptions', { project }],
    ['agents', { project }],
    ['stoppedCalls', { rules }],
  ] as const

/** Processor time of one request, seven times what the dearest took when this was written. */
const processorMsMax = 2000
/** The largest page of rows has 115 KB. */
const answerBytesMax = 200_000

it(`every request of the page stays short and is answered briefly with ${decisions} recorded decisions`, async () => {
  const home = folderWith()
  const env = { HOME: home, HOOKGATE_HOME: home }
  const places = placesOf({ env, platform: process.platform, uid: process.getuid?.(), home })
  const nowMs = Date.now()
  for (let first = 0; first < decisions; first += 5000) {
    const rows = Array.from({ length: 5000 }, (_, index) => rowOf(first + index, nowMs))
    append(places.decisions, rows)
  }
  const record = openLatestReader(places.decisions)
  onTestFinished(() => record.close())
  const installingIn = (cwd: string) => installContextFor({ env, cwd })
  const routes = allRoutes({ places, version: '1.2.3', cwd: home, env, record, installingIn })
  for (const [name, asked] of requests(nowMs, join(home))) {
    const opened = routes[name].open(asked)
    if (opened.kind !== 'answer') throw new Error(`${name} is malformed`)
    const before = process.cpuUsage()
    // oxlint-disable-next-line no-await-in-loop -- one request after the other
    const text = JSON.stringify(await opened.answer())
    const { user, system } = process.cpuUsage(before)
    expect([name, (user + system) / 1000 < processorMsMax, text.length < answerBytesMax]).toEqual([name, true, true])
  }
})

/** One decision of many: a twentieth is refused, less is asked about or observed. */
function rowOf(index: number, nowMs: number) {
  const agent = agents[index % agents.length] ?? ''
  const rule = rules[(index * 7) % rules.length] ?? ''
  const some = {
    agent,
    session: `${agent}-${Math.floor(index / 200)}`,
    project: `/home/me/p${index % 12}`,
    subject: `git push --force origin topic-${index}`,
  }
  const atMs = nowMs - days * dayMs + Math.floor((index / decisions) * days * dayMs)
  if (index % 20 === 0) return recordWith(refusedBy(rule, some), atMs)
  if (index % 33 === 0) return recordWith(refusedBy(rule, { ...some, decision: 'ask', told: 'ask' }), atMs)
  const observed = [{ ruleId: rule, durationMs: 1, effect: 'deny' as const, observed: true as const, reason: 'no' }]
  return recordWith(index % 50 === 0 ? { ...some, evaluations: observed } : some, atMs)
}
