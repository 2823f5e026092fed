import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { entryFile } from '../../src/files/program-files.ts'
import { askRemote, tlsFile } from '../support/remote-server.ts'
import { rulesFile } from '../support/remote-rules.ts'
import { claudeShell } from '../support/wire.ts'
import { folderWith } from '../support/workspace.ts'

const bin = entryFile('cli/bin')
/** True where this process may make namespaces of its own; in a nested container it often may not. */
const canUnshare =
  process.platform === 'linux' && spawnSync('unshare', ['-rm', 'mount', '-o', 'remount,ro,bind', '/'], {}).status === 0

describe.runIf(canUnshare)('the layout of the container: a root that nobody can write to, and two volumes', () => {
  it('is enough to decide, to record, and to end', async () => {
    const volumes = folderWith({
      'state/x': '',
      'bundles/x': '',
      'etc/hooks.json': readFileSync(rulesFile(), 'utf8'),
    })
    const [state, bundles] = [join(volumes, 'state'), join(volumes, 'bundles')]
    const words = ['--listen', '127.0.0.1:0', '--no-discover', '--rules', join(volumes, 'etc/hooks.json')]
    const tls = [
      '--tls-cert',
      tlsFile('server.pem'),
      '--tls-key',
      tlsFile('server.key'),
      '--client-ca',
      tlsFile('ca.pem'),
    ]
    const script = `set -e
      mkdir -p ${state}/bundles; chmod 700 ${state} ${state}/bundles
      mount --bind ${state} ${state}
      mount --bind ${bundles} ${state}/bundles
      mount -t tmpfs none /dev/shm
      mount -o remount,ro,bind /
      if touch ${volumes}/etc/y 2>/dev/null; then exit 9; fi
      exec "$@"`
    const child = spawn(
      'unshare',
      ['-rm', 'sh', '-c', script, 'sh', process.execPath, bin, 'serve', ...words, ...tls],
      {
        env: { PATH: process.env['PATH'], HOME: state, HOOKGATE_HOME: state },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    const line = await new Promise<string>((told, failed) => {
      child.stdout.once('data', (text: Buffer) => told(text.toString()))
      child.once('exit', (code) => failed(new Error(`it ended with ${code}`)))
    })
    const port = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1])
    const listener = { port } as Parameters<typeof askRemote>[0]
    const how = { client: 'client', body: { event: claudeShell('git push --force origin main', '/work') } }
    expect((await askRemote(listener, '/readyz')).status).toBe(200)
    expect((await askRemote(listener, '/v1/decide', how)).json()).toMatchObject({ decision: 'deny' })
    const exited = new Promise((ended) => child.once('exit', ended))
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
    expect(existsSync(join(state, 'decisions.db'))).toBe(true)
  })
})
