import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstUri } from '../../../../src/service/server/remote/listen-remote.ts'
import { serveFolder } from '../../../support/bundle-server.ts'
import { channel, makeMachine, makeTeam } from '../../../support/bundles.ts'
import { askRemote, issuer, remoteListening } from '../../../support/remote-server.ts'
import { rulesFile } from '../../../support/remote-rules.ts'
import { claudeShell } from '../../../support/wire.ts'
import { folderWith } from '../../../support/workspace.ts'

const body = claudeShell('git push --force origin main', '/work')

describe('a gate that other machines ask', () => {
  it('records who has asked, by the certificate', async () => {
    const listener = await remoteListening({ gate: { rules: [rulesFile()] } })
    const verdict = await askRemote(listener, '/v1/decide', { client: 'client', body: { event: body } })
    const hook = await askRemote(listener, '/v1/hook/claude-code', { client: 'spiffe-client', body })
    expect(verdict.json()).toMatchObject({ decision: 'deny' })
    expect(hook.headers['hookgate-exit-code']).toBe('2')
    expect(listener.records).toMatchObject([
      { via: 'remote', who: 'CN=ci-runner-7', decision: 'deny' },
      { via: 'remote', who: 'spiffe://example.com/ci/runner', decision: 'deny' },
    ])
  })

  it.each([
    ['URI:spiffe://example.com/ci', 'spiffe://example.com/ci'],
    ['DNS:a, URI:spiffe://example.com/ci, URI:b', 'spiffe://example.com/ci'],
    ['DNS:"a, URI:spiffe://example.com/admin"', undefined],
    ['DNS:"a\\", URI:spiffe://example.com/admin", URI:b', 'b'],
    ['othername:<unsupported>, IP Address:127.0.0.1, URI:b', 'b'],
    ['DNS:a', undefined],
  ])('takes for the name of a certificate its first URI, and no part of another name: %s', (names, uri) => {
    expect(firstUri(names)).toBe(uri)
  })

  it('records who has asked, by the token, whose keys it fetches once', async () => {
    const provider = await issuer({ environment: 'ci' })
    const setting = { certificates: false, oidc: provider.settings, gate: { rules: [rulesFile()] } }
    const listener = await remoteListening(setting)
    const token = await provider.token({ environment: ['ci', 'nightly'] })
    for (let round = 0; round < 3; round += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the first fetches the keys
      const answer = await askRemote(listener, '/v1/decide', { token, body: { event: body } })
      expect(answer.json()).toMatchObject({ decision: 'deny' })
    }
    expect(listener.records.map(({ who }) => who)).toEqual(
      Array.from({ length: 3 }, () => `repo:acme/shop (${provider.settings.issuer})`),
    )
    // The discovery document, and the keys.
    expect(provider.requests()).toBe(2)
  })

  it('takes no keys over plain http from another machine, which whoever is on the way could replace', async () => {
    const provider = await issuer({}, 'http://keys.example.com/keys')
    const listener = await remoteListening({ certificates: false, oidc: provider.settings })
    const token = await provider.token()
    const answer = await askRemote(listener, '/v1/decide', { token, body: { event: body } })
    expect([answer.status, answer.body]).toEqual([503, expect.stringContaining('http://keys.example.com/keys')])
    // Nor is it asked again for each token that somebody sends.
    const more = await Promise.all(
      Array.from({ length: 5 }, () => askRemote(listener, '/v1/decide', { token: 'x', body: { event: body } })),
    )
    expect(more.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
    expect(provider.requests()).toBe(1)
  })

  it('takes either proof where both are configured', async () => {
    const provider = await issuer()
    const listener = await remoteListening({ oidc: provider.settings })
    const byToken = await askRemote(listener, '/v1/decide', { token: await provider.token(), body: { event: body } })
    const byCertificate = await askRemote(listener, '/v1/decide', { client: 'client', body: { event: body } })
    expect([byToken.status, byCertificate.status]).toEqual([200, 200])
  })

  it('answers 503 while the keys of the provider cannot be fetched, and not 401', async () => {
    const provider = await issuer()
    const listener = await remoteListening({ certificates: false, oidc: provider.settings })
    const token = await provider.token()
    await provider.close()
    const answer = await askRemote(listener, '/v1/decide', { token, body: { event: body } })
    expect(answer.status).toBe(503)
    expect(answer.body).toContain('cannot be fetched')
  })

  it('tells everybody whether it is alive and ready, and nothing else', async () => {
    const listener = await remoteListening({ gate: { rules: [rulesFile()] } })
    const alive = await askRemote(listener, '/healthz')
    const ready = await askRemote(listener, '/readyz')
    const others = ['/metrics', '/v1/rules', '/v1/events', '/v1/status', '/nowhere']
    const statuses = await Promise.all(others.map(async (path) => (await askRemote(listener, path)).status))
    expect([alive.status, ready.status, ...statuses]).toEqual([200, 200, 401, 401, 401, 401, 401])
  })

  it('shows nobody the rules and events of others, whatever the proof', async () => {
    const listener = await remoteListening()
    const paths = ['/v1/rules', '/v1/events', '/v1/status', '/v1/approvals']
    const statuses = await Promise.all(
      paths.map(async (path) => (await askRemote(listener, path, { client: 'client' })).status),
    )
    expect(statuses).toEqual([404, 404, 404, 404])
  })

  it('reads no rules from a folder that a caller names', async () => {
    const { folder, rules } = rulesInProject()
    const listener = await remoteListening({ gate: { rules: [rules], discover: true, trustWorkspace: true } })
    const event = claudeShell('ls', folder)
    const answer = await askRemote(listener, '/v1/decide', { client: 'client', body: { event } })
    expect(answer.json()).toMatchObject({ decision: 'abstain' })
    expect(await listener.gate.rulesFor({ workspaceRoots: [folder] })).toMatchObject({
      rules: expect.arrayContaining([
        expect.objectContaining({ source: expect.objectContaining({ scope: 'project' }) }),
      ]),
    })
  })
})

describe('readiness', () => {
  it('is lost while the rules do not load, and the log alone says why', async () => {
    const listener = await remoteListening({ gate: { rules: [rulesFile('{"hooks": 1}')] } })
    const ready = await askRemote(listener, '/readyz')
    expect(ready.status).toBe(503)
    expect(ready.json()).toEqual({ ready: false })
    expect(listener.log()).toContain('hooks.json')
    expect((await askRemote(listener, '/healthz')).json()).toEqual({ status: 'ok' })
  })

  it('needs a verified bundle where one is configured', async () => {
    const managedFolder = managedWithBundle()
    const listener = await remoteListening({ gate: { discover: true, managedFolder, home: managedFolder } })
    const ready = await askRemote(listener, '/readyz')
    expect(ready.status).toBe(503)
    expect(ready.json()).toEqual({ ready: false })
    expect(listener.log()).toContain('no verified release of the channel servers')
  })

  it('is there with the bundle that was fetched last, while its server is away', async () => {
    const team = makeTeam()
    team.publish('r1')
    const server = await serveFolder(team.repository.folder)
    const state = folderWith()
    const { poll, pinned } = makeMachine(team, server.url, { folder: join(state, 'bundles') })
    await poll()
    await server.close()
    const managed = { bundle: { url: server.url, channel } }
    const managedFolder = folderWith({ 'hooks.json': { json: managed }, 'root.json': pinned })
    const listener = await remoteListening({ gate: { discover: true, managedFolder, home: folderWith(), state } })
    expect((await askRemote(listener, '/readyz')).status).toBe(200)
  })
})

function rulesInProject() {
  const folder = folderWith({ '.hookgate/hooks.json': JSON.stringify({ permissions: { deny: ['Bash(ls)'] } }) })
  return { folder, rules: rulesFile() }
}

function managedWithBundle() {
  const bundle = { url: 'http://127.0.0.1:1/rules', channel: 'servers' }
  const managed = { bundle, permissions: { deny: ['Bash(git push --force *)'] } }
  return join(folderWith({ 'managed/hooks.json': JSON.stringify(managed) }), 'managed')
}
