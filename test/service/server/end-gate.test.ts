import { spawn } from 'node:child_process'
import { createServer, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { tryLock } from '../../../src/files/lock.ts'
import { endGate } from '../../../src/service/server/end-gate.ts'
import { writeState } from '../../../src/files/state/gate-state.ts'
import { ensurePlaces } from '../../../src/files/state/own-folder.ts'
import { processStart } from '../../../src/service/server/process-start.ts'
import { residentUser } from '../../support/resident.ts'

it('a stuck gate that exits just before it is killed counts as stopped', async () => {
  const { places } = residentUser()
  ensurePlaces(places)
  const lock = tryLock(places.gateLock)
  const stuck = spawn('sleep', ['60'])
  const { pid = 0 } = stuck
  onTestFinished(() => void stuck.kill())
  const connections: Socket[] = []
  const server = createServer((connection) => connections.push(connection.on('error', () => {})))
  await new Promise<void>((done) => server.listen(places.socket, done))
  writeState(places, {
    pid,
    processStart: processStart(pid),
    startedAt: new Date().toISOString(),
    version: '1.2.3',
    socket: places.socket,
    http: null,
  })
  const kill = vi.spyOn(process, 'kill').mockImplementation(() => {
    for (const connection of connections) connection.destroy()
    server.close()
    lock?.release()
    throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' })
  })
  onTestFinished(() => kill.mockRestore())
  expect(await endGate(places)).toEqual({ did: 'awaited' })
  expect(kill).toHaveBeenCalledExactlyOnceWith(pid, 'SIGKILL')
})
