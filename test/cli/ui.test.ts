import { spawn, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { entryFile } from '../../src/files/program-files.ts'
import { listener } from '../support/listener.ts'
import { residentUser } from '../support/resident.ts'

const bin = entryFile('cli/bin')
/** `script` of util-linux gives a program a terminal; that of other systems has other options. */
const hasTerminals = (spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '').includes('util-linux')
const linkPattern = /http:\/\/127\.0\.0\.1:\d+\/open\/\S+/g

/** Runs a shell line with a terminal. */
function inTerminal(line: string) {
  const user = residentUser()
  const env = { PATH: process.env['PATH'] ?? '', NODE_OPTIONS: '', ...user.env }
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: user.folder, env, stdio: 'pipe' })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    ended,
    text: () => text,
    type: (keys: string) => child.stdin.write(keys),
    /** Waits for so many links, and returns them. */
    async links(count: number): Promise<readonly string[]> {
      await expect.poll(() => text.match(linkPattern) ?? [], { timeout: 120_000 }).toHaveLength(count)
      return text.match(linkPattern) ?? []
    },
  }
}

const ui = `'${process.execPath}' '${bin}' ui`

describe.skipIf(!hasTerminals)('hookgate ui in a terminal', () => {
  it('prints a link and with Enter another, after which the first is void, and Ctrl-C ends it', async () => {
    // Ctrl-C goes to the shell, too, which is to go on.
    const terminal = inTerminal(`trap : INT; ${ui}; echo "code $?"; stty -a | grep -o -w -- '-\\?icanon'`)
    const [first = ''] = await terminal.links(1)
    terminal.type('\r')
    const [, second = ''] = await terminal.links(2)
    expect((await fetch(first)).status).toBe(401)
    const opened = await fetch(second)
    expect(opened.status).toBe(200)
    await opened.text()
    terminal.type('\u0003')
    expect(await terminal.ended).toBe(0)
    const after = terminal.text().split('code ')[1]
    expect(after?.split(/\s+/).slice(0, 2)).toEqual(['0', 'icanon'])
  })

  it('names a port that another program uses, and what to do', async () => {
    const { port } = await listener()
    const terminal = inTerminal(`${ui} --port ${port}`)
    expect(await terminal.ended).toBe(1)
    expect(terminal.text().replaceAll('\r', '')).toContain(
      `the page cannot listen at http://127.0.0.1:${port}: another program is using it; choose another port with \`--port\``,
    )
  })

  it('refuses a folder that was removed', async () => {
    const terminal = inTerminal(`mkdir gone && cd gone && rmdir "$PWD" && ${ui}`)
    expect(await terminal.ended).toBe(1)
    expect(terminal.text()).toContain('the current folder no longer exists')
  })
})

it('hookgate ui needs a terminal, and says what programs can use', async () => {
  const user = residentUser()
  const { stderr, exitCode } = await user.spawned(['ui'])
  expect(exitCode).toBe(1)
  expect(stderr).toContain('it needs a terminal')
  expect(stderr).toContain('hookgate log --json')
})
