import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openShippedGate } from '../support/shipped-gate.ts'
import { folderWith } from '../support/workspace.ts'

// Containers and serverless functions often have their home below a folder for temporary files.

const gates = new Map<string, ReturnType<typeof openShippedGate>>()
afterAll(() => Promise.all([...gates.values()].map((gate) => gate.close())))

/** Decides commands for a user with this home directory. The tests of one home share a gate. */
function judgeFor(home: string) {
  const gate = gates.get(home) ?? openShippedGate(home)
  gates.set(home, gate)
  return (command: string) => gate.judge(command, '/srv/proj')
}

/** The commands that no rule refuses. */
async function passedOf(judge: ReturnType<typeof judgeFor>, commands: readonly string[]): Promise<readonly string[]> {
  const judged = await Promise.all(commands.map(judge))
  return commands.filter((_, at) => judged[at]?.denied.length === 0)
}

const losses: readonly string[] = [
  'rm -rf ~',
  'rm -rf ~/',
  'rm -rf $HOME',
  'rm -rf "$HOME"/*',
  'rm -rf ~/{*,.*}',
  'rm -rf ~/Documents',
  'rm -rf ~/.ssh',
  'cd && rm -rf .',
  'find ~ -delete',
  "find ~ -exec rm -rf '{}' +",
  'shred ~/thesis.tex',
  'chmod -R 777 ~',
  'chown -R nobody "$HOME"',
]

describe.each(['/tmp/agent', '/var/tmp/agent', '/dev/shm/a/b', '/private/var/folders/x/home'])(
  'a home at %s',
  (home) => {
    it('is protected as a home by the shipped packs', async () => {
      const judge = judgeFor(home)
      const passed: string[] = []
      for (const command of losses) {
        // oxlint-disable-next-line no-await-in-loop -- running all at once would queue them
        const { denied } = await judge(command)
        if (denied.length === 0) passed.push(command)
      }
      expect(passed).toEqual([])
    })

    it('does not protect its siblings from being deleted', async () => {
      const judge = judgeFor(home)
      const beside = `${home}s /tmp/build "/tmp/mine-$$"`
      expect(await judge(`rm -rf ${beside}; shred /tmp/key; chmod -R 777 /tmp/build`)).toEqual({
        denied: [],
        asked: [],
      })
    })
  },
)

it('a home behind a link is protected by both of its names', async () => {
  const root = folderWith({})
  mkdirSync(join(root, 'real/Documents'), { recursive: true })
  symlinkSync(join(root, 'real'), join(root, 'home'))
  const judge = judgeFor(join(root, 'home'))
  expect((await judge('rm -rf ~/Documents')).denied).toContain('home-deletion')
  expect((await judge(`rm -rf ${root}/real/Documents`)).denied).toContain('home-deletion')
  expect(await judge(`rm -rf ${root}/other`)).toEqual({ denied: [], asked: [] })
})

describe('a home that is the temporary folder itself', () => {
  const whole = [
    'rm -rf ~',
    'rm -rf ~/*',
    'rm -rf /tmp',
    'find ~ -delete',
    'rm -rf ~/.ssh',
    'rm -rf ~/.aw*',
    'chmod -R 777 ~',
  ]

  it('cannot be deleted whole, nor can its keys', async () => {
    expect(await passedOf(judgeFor('/tmp'), whole)).toEqual([])
  })

  it('still permits ordinary work', async () => {
    const work = 'rm -rf /tmp/build /tmp/out-*; find /tmp/build -delete; chmod -R 777 /tmp/build'
    expect(await judgeFor('/tmp')(work)).toEqual({ denied: [], asked: [] })
  })
})
