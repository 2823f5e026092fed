import { expect, it } from 'vitest'
import { createGate } from '../../../src/gate/gate.ts'
import { openExporter } from '../../../src/record/export/exporter.ts'
import { gateStatus } from '../../../src/service/server/gate-status.ts'
import { residentUser } from '../../support/resident.ts'

it('a gate reports its status while it still reads its rules', async () => {
  const { places } = residentUser()
  const gate = { ...createGate({ discover: false }), rulesFor: () => new Promise<never>(() => {}) }
  const state = {
    pid: process.pid,
    processStart: null,
    startedAt: new Date().toISOString(),
    version: '1.2.3',
    socket: places.socket,
    http: null,
  }
  const exporter = openExporter(places.decisions, {}, { warn: () => {}, info: () => {} })
  const ruleProblems = { onRulesRead: () => {}, everywhere: [], inWorkspaces: [], workspaces: [['/somewhere']] }
  const bundles = { use: () => {}, status: () => undefined, close: async () => {} }
  const status = await gateStatus({ places, state, gate, inFlight: 1, ruleProblems, exporter, bundles, warnings: [] })
  expect(status).toMatchObject({ version: '1.2.3', rules: { problem: 'they are still being read' } })
})
