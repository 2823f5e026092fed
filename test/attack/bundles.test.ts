/* oxlint-disable no-await-in-loop -- each step is judged after the one before */
import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { activeFileIn } from '../../src/bundle/machine/kept.ts'
import { keyFile, makeKey, readKey } from '../../src/bundle/team/keys.ts'
import { publish } from '../../src/bundle/team/publish.ts'
import { snapshotOf, timestampOf } from '../../src/bundle/metadata.ts'
import {
  refresh,
  metadataText,
  newRoot,
  readRoot,
  readSnapshot,
  readTimestamp,
  signWith,
} from '../../src/bundle/team/repository.ts'
import { onlineKeys } from '../../src/bundle/team/roles.ts'
import { replaceKey } from '../../src/bundle/team/rotate.ts'
import { serveFolder } from '../support/bundle-server.ts'
import { channel, denyRm, makeMachine, makeTeam, packed } from '../support/bundles.ts'

/** A team with one release, a server, and a machine that has it. */
async function inForce() {
  const team = makeTeam()
  team.publish('r1')
  const server = await serveFolder(team.repository.folder)
  const machine = makeMachine(team, server.url)
  await machine.poll()
  expect(machine.revision()).toBe('r1')
  return { team, server, machine }
}

describe('a server that is not to be trusted', () => {
  it('cannot bring back a release that was replaced (rollback)', async () => {
    const { team, machine } = await inForce()
    const old = join(team.folder, 'old')
    cpSync(team.repository.folder, old, { recursive: true })
    team.publish('r2')
    await machine.poll()
    expect(machine.revision()).toBe('r2')
    rmSync(team.repository.folder, { recursive: true })
    cpSync(old, team.repository.folder, { recursive: true })
    await expect(machine.poll()).rejects.toThrow(/is older than what was seen before/)
    expect(machine.revision()).toBe('r2')
  })

  it.each([
    ['is cut off, as by a full disk', (file: string) => truncateSync(file, 40)],
    ['is gone', (file: string) => rmSync(file)],
  ])('cannot bring it back where a file of the client %s', async (_, damage) => {
    const { team, machine } = await inForce()
    const old = join(team.folder, 'old')
    cpSync(team.repository.folder, old, { recursive: true })
    team.publish('r2')
    await machine.poll()
    rmSync(team.repository.folder, { recursive: true })
    cpSync(old, team.repository.folder, { recursive: true })
    for (const name of ['timestamp', 'snapshot', 'targets', `channel-${channel}`])
      damage(join(machine.folder, 'metadata', `${name}.json`))
    await expect(machine.poll()).rejects.toThrow(/is older than what was seen before/)
    expect(machine.revision()).toBe('r2')
  })

  it('cannot bring it back by a clock that is set back, which only makes what the machine has look fresh', async () => {
    const { team, machine } = await inForce()
    const old = join(team.folder, 'old')
    cpSync(team.repository.folder, old, { recursive: true })
    team.publish('r2')
    await machine.poll()
    rmSync(team.repository.folder, { recursive: true })
    cpSync(old, team.repository.folder, { recursive: true })
    const day = 86_400_000
    const now = Date.now()
    const at = (days: number) => void vi.useFakeTimers({ toFake: ['Date'], now: now + days * day })
    const isFresh = () => {
      const kept = machine.kept()
      return kept.kind === 'kept' && Date.now() < kept.signed.freshUntilMs
    }
    try {
      at(30)
      expect([machine.revision(), isFresh()]).toEqual(['r2', false])
      at(-30)
      await expect(machine.poll()).rejects.toThrow(/is older than what was seen before/)
      expect([machine.revision(), isFresh()]).toEqual(['r2', true])
    } finally {
      vi.useRealTimers()
    }
  })

  it('cannot hide that there is something newer for longer than a day (freeze)', async () => {
    const { team, server, machine } = await inForce()
    const day = 86_400_000
    refresh(team.repository, onlineKeys(team.signing), Date.now() - 2 * day)
    await expect(machine.poll()).rejects.toThrow(/timestamp.json has expired/)
    expect(machine.revision()).toBe('r1')
    const fresh = makeMachine(team, server.url)
    await expect(fresh.poll()).rejects.toThrow(/timestamp.json has expired/)
    expect(fresh.revision()).toBe('nothing has been fetched yet')
  })

  it('cannot serve files of two releases together (mix and match)', async () => {
    const { team, machine, server } = await inForce()
    const before = readFileSync(team.file('metadata/1.snapshot.json'))
    const channelBefore = readFileSync(team.file(`metadata/2.channel-${channel}.json`))
    team.publish('r2')
    server.at('3.snapshot.json', before)
    await expect(machine.poll()).rejects.toThrow(/is not the one that was signed|it sends more than/)
    server.asBefore()
    server.at(`3.channel-${channel}.json`, channelBefore)
    await expect(machine.poll()).rejects.toThrow(/is not the one that was signed|version/)
    expect(machine.revision()).toBe('r1')
  })

  it.each(['timestamp.json', '2.root.json', 'bundle.json.gz'])('cannot send without end: %s', async (file) => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    let sent = 0
    server.at(file, (response) => {
      const chunk = Buffer.alloc(65_536, 32)
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
      }
      response.on('drain', more)
      more()
    })
    const machine = makeMachine(team, server.url)
    await expect(machine.poll()).rejects.toThrow(/more than \d+ bytes/)
    expect(sent).toBeLessThan(16 * 1024 * 1024)
    expect(machine.revision()).toBe('nothing has been fetched yet')
  })

  it('cannot put other bytes in place of a bundle (arbitrary package)', async () => {
    const { team, machine, server } = await inForce()
    team.publish('r2')
    server.at('bundle.json.gz', packed('r2', { permissions: { allow: ['Bash'] } }))
    await expect(machine.poll()).rejects.toThrow(/is not the one that was signed|more than/)
    expect(machine.revision()).toBe('r1')
  })

  it('cannot serve a bundle that is shorter or longer than is signed (wrong size)', async () => {
    const { team, machine, server } = await inForce()
    team.publish('r2')
    const name = readdirSync(team.file(`targets/${channel}`)).find((one) => one.endsWith('.bundle.json.gz')) ?? ''
    const bytes = readFileSync(team.file(`targets/${channel}/${name}`))
    for (const wrong of [bytes.subarray(0, bytes.length - 1), Buffer.concat([bytes, Buffer.of(0)])]) {
      server.at('bundle.json.gz', wrong)
      await expect(machine.poll()).rejects.toThrow(/is not the one that was signed|more than/)
    }
    expect(machine.revision()).toBe('r1')
  })

  it('cannot keep a machine waiting by sending byte by byte (slow retrieval)', async () => {
    const { team, server } = await inForce()
    server.at('timestamp.json', (response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    })
    const machine = makeMachine(team, server.url, { requestMs: 200 })
    await expect(machine.poll()).rejects.toThrow(/abort|timeout/i)
  })

  it('cannot redirect to another place', async () => {
    const { machine, server } = await inForce()
    server.at('timestamp.json', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
    await expect(machine.poll()).rejects.toThrow(/Failed|302/)
  })

  it('cannot make a machine unpack a small file into a large one', async () => {
    const { team, machine } = await inForce()
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    expect(() => publish(team.repository, channel, bomb, { percent: 100, mode: 'enforce' }, team.signing)).toThrow(
      /it is no bundle/,
    )
    expect(machine.revision()).toBe('r1')
  })
})

describe('a stolen key', () => {
  it('of the root signs nothing below the threshold', async () => {
    const { team, machine } = await inForce()
    const thief = makeKey(team.folder, 'thief', undefined)
    const root = readRoot(team.repository)
    const { keys, roles, ...rest } = root.signed.toJSON()
    const evil = newRoot(
      {
        ...rest,
        keys: { ...(keys as object), [thief.keyid]: thief.json },
        roles: { ...(roles as object), targets: { keyids: [thief.keyid], threshold: 1 } },
      },
      2,
      Date.now(),
    )
    signWith(evil, readKey(team.signing.keys, 'root-1', undefined))
    writeFileSync(team.file('metadata/2.root.json'), metadataText(evil))
    await expect(machine.poll()).rejects.toThrow(/root.json has 1 of the 2 signatures/)
    expect(machine.revision()).toBe('r1')
  })

  it('of one channel publishes nothing in another', async () => {
    const team = makeTeam()
    const { addChannels } = await import('../../src/bundle/team/roles.ts')
    addChannels(team.repository, ['servers'], team.signing)
    team.publish('r1')
    // The key of `servers` in place of the other channel's.
    const stolen = JSON.parse(readFileSync(keyFile(team.signing.keys, 'channel-servers'), 'utf8'))
    rmSync(keyFile(team.signing.keys, `channel-${channel}`))
    writeFileSync(
      keyFile(team.signing.keys, `channel-${channel}`),
      JSON.stringify({ ...stolen, role: `channel-${channel}` }),
      { mode: 0o600 },
    )
    expect(() => team.publish('r2')).toThrow(/was not signed by the key that would sign it now/)
  })

  it('is of no use once the root says so, also to a machine that was away', async () => {
    const { team, machine, server } = await inForce()
    const late = makeMachine(team, server.url)
    const stolen = join(team.folder, 'stolen')
    cpSync(team.signing.keys, stolen, { recursive: true })
    for (const role of ['timestamp', 'snapshot', 'targets', `channel-${channel}`]) {
      replaceKey(team.repository, role, team.signing)
    }
    await machine.poll()
    expect(() =>
      publish(
        team.repository,
        channel,
        packed('evil'),
        { percent: 100, mode: 'enforce' },
        { ...team.signing, keys: stolen },
      ),
    ).toThrow(/was not signed by the key/)
    team.publish('r2')
    await machine.poll()
    await late.poll()
    expect([machine.revision(), late.revision()]).toEqual(['r2', 'r2'])
  })

  it('that has signed versions far ahead shuts nobody out once it is replaced (fast-forward)', async () => {
    const { team, machine, server } = await inForce()
    const keys = onlineKeys(team.signing)
    const ahead = ({ signed }: { readonly signed: { toJSON(): object } }, changes: object = {}) =>
      JSON.stringify({ signed: { ...signed.toJSON(), version: 1_000_000, ...changes }, signatures: [] })
    const snapshot = snapshotOf(ahead(readSnapshot(team.repository)))
    signWith(snapshot, keys.snapshot)
    const text = metadataText(snapshot)
    const meta = { 'snapshot.json': { version: 1_000_000, length: Buffer.byteLength(text) } }
    const timestamp = timestampOf(ahead(readTimestamp(team.repository), { meta }))
    signWith(timestamp, keys.timestamp)
    server.at('1000000.snapshot.json', text)
    server.at('timestamp.json', metadataText(timestamp))
    expect((await machine.poll()).isNew).toBe(true)
    server.asBefore()
    team.publish('r2')
    await expect(machine.poll()).rejects.toThrow(/is older than what was seen before/)
    expect(machine.revision()).toBe('r1')
    for (const role of ['timestamp', 'snapshot']) replaceKey(team.repository, role, team.signing)
    await machine.poll()
    expect(machine.revision()).toBe('r2')
  })
})

describe('somebody who writes into the folder of a gate', () => {
  it('removes any one part of what is verified, and no bundle is loaded', async () => {
    const { machine } = await inForce()
    const file = activeFileIn(machine.folder)
    const whole = readFileSync(file, 'utf8')
    for (const part of ['timestamp', 'snapshot', 'targets', 'channel'] as const) {
      const { evidence, ...rest } = JSON.parse(whole)
      const { [part]: _, ...others } = evidence
      for (const changed of [
        others,
        { ...others, [part]: '' },
        { ...others, [part]: '{"signed":{},"signatures":[]}' },
      ]) {
        writeFileSync(file, JSON.stringify({ ...rest, evidence: changed }))
        expect(machine.kept()).toMatchObject({ kind: 'nothing' })
      }
    }
    rmSync(file)
    expect(machine.kept()).toMatchObject({ kind: 'nothing' })
    writeFileSync(file, whole)
    expect(machine.kept()).toMatchObject({ kind: 'kept', bundle: { revision: 'r1' } })
  })

  it('removes signatures, or changes what is signed, and no bundle is loaded', async () => {
    const { machine } = await inForce()
    const file = activeFileIn(machine.folder)
    const whole = JSON.parse(readFileSync(file, 'utf8')) as { evidence: Record<string, string> }
    const change = (part: string, text: (before: string) => string) => {
      const evidence = { ...whole.evidence, [part]: text(whole.evidence[part] ?? '') }
      writeFileSync(file, JSON.stringify({ ...whole, evidence }))
      return machine.kept()
    }
    for (const part of ['timestamp', 'snapshot', 'targets', 'channel']) {
      const unsigned = change(part, (text) => JSON.stringify({ ...JSON.parse(text), signatures: [] }))
      expect(unsigned).toMatchObject({ kind: 'nothing' })
    }
    expect(change('channel', (text) => text.replace('"enforce"', '"observe"'))).toMatchObject({ kind: 'nothing' })
    expect(change('channel', (text) => text.replace('"percent":100', '"percent":0'))).toMatchObject({ kind: 'nothing' })
    expect(change('timestamp', (text) => text.replace(/"expires":"\d+/, '"expires":"2999'))).toMatchObject({
      kind: 'nothing',
    })
  })

  it('puts another bundle, or none, in the place of one that was verified', async () => {
    const { machine } = await inForce()
    const release = readdirSync(machine.folder).find((name) => name.startsWith('r1-')) ?? ''
    const file = join(machine.folder, release, 'bundle.json.gz')
    writeFileSync(file, packed('r1', { permissions: { allow: ['Bash'] } }))
    expect(machine.kept()).toMatchObject({
      kind: 'nothing',
      why: expect.stringContaining('not the one that was signed'),
    })
    rmSync(file)
    expect(machine.kept()).toMatchObject({ kind: 'nothing', why: expect.stringContaining('is missing') })
    await machine.poll()
    expect(machine.revision()).toBe('r1')
  })

  it('has a repository of their own, which the pinned root does not know', async () => {
    const { machine } = await inForce()
    const theirs = makeTeam()
    theirs.publish('r1', { permissions: { allow: ['Bash'] } })
    const server = await serveFolder(theirs.repository.folder)
    const own = makeMachine(theirs, server.url)
    await own.poll()
    cpSync(own.folder, machine.folder, { recursive: true })
    expect(machine.kept()).toMatchObject({ kind: 'nothing', why: expect.stringContaining('not verified') })
    await machine.poll()
    expect(machine.kept()).toMatchObject({ kind: 'kept' })
  })

  it('has no pinned root, and none is taken from the server', async () => {
    const { machine } = await inForce()
    expect(machine.kept({ pinned: '{}' })).toMatchObject({ kind: 'nothing' })
  })
})

describe('each file of the metadata, removed from the server in turn', () => {
  it('leaves a new machine without a bundle, and an old one with the one it has', async () => {
    const { team, server, machine } = await inForce()
    const olds = Array.from({ length: 4 }, () => makeMachine(team, server.url))
    for (const old of olds) await old.poll()
    team.publish('r2', denyRm)
    const names = readdirSync(team.file('metadata')).filter((name) => name !== '1.root.json')
    const current = names.filter((name) => {
      const [, version, role] = /^(?:(\d+)\.)?(.+)\.json$/.exec(name) ?? []
      return role !== 'switch' && !names.includes(`${Number(version) + 1}.${role}.json`)
    })
    expect(current.toSorted()).toEqual(
      [`3.channel-${channel}.json`, '1.targets.json', '3.snapshot.json', 'timestamp.json'].toSorted(),
    )
    for (const [index, name] of current.entries()) {
      server.at(`/metadata/${name}`, (response) => response.writeHead(404).end())
      const fresh = makeMachine(team, server.url)
      await expect(fresh.poll()).rejects.toThrow(/404|Failed|Unable/)
      expect(fresh.revision()).toBe('nothing has been fetched yet')
      // What it has already need not be fetched again.
      const old = olds[index] ?? machine
      if (name !== '1.targets.json') {
        await expect(old.poll()).rejects.toThrow(/404|Failed|Unable/)
        expect(old.revision()).toBe('r1')
      }
      server.asBefore()
    }
    await machine.poll()
    expect(machine.revision()).toBe('r2')
  })
})
