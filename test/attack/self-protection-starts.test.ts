import { expect, it } from 'vitest'
import { shellFacts } from '../../src/facts/shell/shell-facts.ts'
import { sampleOf } from '../support/sample.ts'
import { gatePid, protectedUser } from '../support/self-protection.ts'
import { wrapped, type WrappedDanger } from '../support/wrappers.ts'

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
  expect(found).toEqual([])
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
  expect(found).toEqual([])
}, 600_000)

const code = (program: string, ...lines: readonly string[]) => `${program} <<'EOF'\n${lines.join('\n')}\nEOF`

it.each([
  code('ruby', 'system(<<~CMD)', '  hookgate down', 'CMD'),
  code('ruby', 'system <<-"CMD".strip', '  hookgate down', '  CMD'),
  code('ruby', "a = <<~'A' + <<~B", '  hookgate', 'A', '  down', 'B', 'system(a)'),
  code('ruby', 'puts <<~`CMD`', '  hookgate down', 'CMD'),
  code('ruby', 'c = "down"', 'system(<<CMD)', 'hookgate #{c}', 'CMD'),
  code('ruby', 'system(<<A, chdir: "x")', 'hookgate "down"', 'A', 'puts 1'),
  code('perl', "system(<<'CMD');", 'hookgate down', 'CMD'),
  code('perl', 'my $c = "down"; system <<"CMD";', 'hookgate $c', 'CMD'),
  code('perl', 'print << `CMD`;', 'hookgate down', 'CMD'),
  code('perl', 'exec(<<~CMD);', '  hookgate down', '  CMD'),
  code('php', "<?php system(<<<'CMD'", 'hookgate down', 'CMD);'),
  code('php', '<?php $c = <<<CMD', '  hookgate down', '  CMD;', 'shell_exec($c);'),
  "awk -v cmd='hookgate disable codex' 'BEGIN{print cmd > \"/tmp/k.sh\"}'; sh /tmp/k.sh",
  `printf '{hooks: [{entry: kill -9 ${gatePid}, language: system}]}' > .pre-commit-config.yaml; pre-commit run`,
  `printf 'tasks: {a: {cmd: kill ${gatePid}, dir: x}}' > Taskfile.yml; task a`,
])('a command in a text that code, awk or a list holds is refused: %s', async (command) => {
  expect((await protectedUser().command(command)).decision).toBe('deny')
})

it.each([
  code('ruby', 'puts <<~TEXT', '  hookgate down', 'TEXT'),
  code('ruby', 'a = []', 'a <<B', 'system("ls")'),
  code('perl', 'print <<TEXT;', 'hookgate down', 'TEXT'),
  code('php', '<?php echo <<<TEXT', 'hookgate down', 'TEXT;'),
])('a text that code only prints passes: %s', async (command) => {
  expect((await protectedUser().command(command)).decision).toBe('abstain')
})
