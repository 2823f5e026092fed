import { expect, it } from 'vitest'
import { shellFacts } from '../../src/facts/shell/shell-facts.ts'
import { sampleOf } from '../support/sample.ts'
import { gatePid, protectedUser } from '../support/self-protection.ts'
import { pendingStarts, wrapped, type WrappedDanger } from '../support/wrappers.ts'

// One source says what starts what: behind whatever a danger to a home is seen, a danger to hookgate is seen.

const rulesOfPacks = { 'home/.config/hookgate/hooks.json': { json: { preset: 'recommended' } } }

/** Puts the dangers behind each launcher: the deletion of a home first, which the packs judge. */
function dangersFor(home: string, file?: string): readonly (readonly WrappedDanger[])[] {
  const dangers = [
    { id: 'home', cmd: `rm -rf ${home}`, simple: true as const },
    { id: 'down', cmd: 'hookgate down', simple: true as const },
    { id: 'disable', cmd: 'hookgate disable claude-code', simple: true as const },
    { id: 'settings', cmd: `rm ${home}/.claude/settings.json`, simple: true as const },
    { id: 'kill', cmd: `kill -9 ${gatePid}`, simple: true as const },
  ]
  const all = wrapped(dangers, file)
  return [...Map.groupBy(all, ({ launcher }) => launcher).values()]
}

/** Returns the launchers that pass a danger to hookgate, though the home is safe behind them. */
async function passing(
  user: ReturnType<typeof protectedUser>,
  cases: readonly (readonly WrappedDanger[])[],
  isSafe: (home: WrappedDanger) => boolean | Promise<boolean>,
) {
  const found: string[] = []
  for (const [home, ...dangers] of cases) {
    // oxlint-disable-next-line no-await-in-loop -- as an agent asks
    if (home === undefined || !(await isSafe(home))) continue
    for (const { launcher, danger, command } of dangers) {
      // oxlint-disable-next-line no-await-in-loop -- as an agent asks
      const { decision } = await user.command(command)
      if (decision === 'abstain' && !endsOtherMachines(command)) found.push(`${launcher} ${danger}`)
    }
  }
  return found
}

/** Tells whether all processes that a command ends are of another machine. */
function endsOtherMachines(command: string): boolean {
  const { commands } = shellFacts(command, around('/home/u'))
  const ends = commands.filter(({ program }) => program === 'kill')
  return ends.length > 0 && ends.every(({ elsewhere }) => elsewhere === true)
}

const around = (home: string) => ({ cwd: `${home}/p`, home, workspaceRoots: [`${home}/p`], env: {} })

it('behind each launcher that cannot delete a home unasked, hookgate cannot be ended or disabled unasked', async () => {
  const user = protectedUser(rulesOfPacks)
  const cases = sampleOf(dangersFor(user.home), 7)
  const found = await passing(user, cases, async ({ command }) => (await user.command(command)).decision !== 'abstain')
  const pending = pendingStarts()
  expect(found.filter((one) => !pending.includes(one))).toEqual([])
}, 600_000)

it('a danger in a text that is written first, or given to a launcher without a command, is gated', async () => {
  const user = protectedUser(rulesOfPacks)
  const found: string[] = []
  for (const { launcher, danger, command } of dangersFor(user.home, 'written-first').flat()) {
    // oxlint-disable-next-line no-await-in-loop -- as an agent asks
    if ((await user.command(command)).decision === 'abstain') found.push(`${launcher} ${danger}`)
  }
  expect(found).toEqual([])
}, 600_000)

it('without packs, self-protection sees each danger behind each launcher of which the facts say what it starts', async () => {
  const user = protectedUser()
  const cases = sampleOf(dangersFor(user.home), 3)
  const found = await passing(user, cases, ({ command }) =>
    shellFacts(command, around(user.home)).commands.some(
      ({ program, args, elsewhere }) =>
        program === 'rm' && elsewhere !== true && args.some(({ value }) => value === user.home),
    ),
  )
  const pending = pendingStarts()
  expect(found.filter((one) => !pending.includes(one))).toEqual([])
}, 600_000)

it('the launchers that are pending are still not seen', async () => {
  const user = protectedUser(rulesOfPacks)
  const pending = pendingStarts()
  const cases = dangersFor(user.home).filter(([one]) => pending.some((line) => line.startsWith(`${one?.launcher} `)))
  expect(await passing(user, cases, () => true)).toEqual(pending)
})
