import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../src/model/event.ts'
import type { Impact } from '../../src/model/impact.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { PolicyInterest } from '../../src/model/policy-interest.ts'
import type { PolicyRequest } from '../../src/model/policy.ts'
import { isPolicyRule } from '../../src/model/rule.ts'
import { impactsIn } from '../../src/facts/impacts/read-impacts.ts'
import { noShellFacts } from '../../src/model/tool-facts.ts'
import { indexInterests, interestedIn } from '../../src/policy/interest.ts'
import { evaluatePolicies, PolicyList, interestChoicesMax } from '../../src/policy/policies.ts'
import { factsOf } from '../support/shell-facts.ts'
import { policyMachine, policyText } from '../support/policies.ts'

const impact: Impact = {
  kind: 'delete',
  thing: 'data',
  area: 'mcp-tools',
  names: [],
  where: 'unknown',
  extent: 'unknown',
  undo: 'never',
  by: 'mcp__a__delete_table',
  words: 'mcp__a__delete_table',
  command: 'mcp__a__delete_table',
  targets: {},
}

/** True if a policy with this interest is asked about the call of another tool than the shell, with these impacts. */
function isAskedOfTool(interest: PolicyInterest | undefined, impacts: readonly Impact[], command?: string): boolean {
  const shell = command === undefined ? noShellFacts : factsOf(command)
  const index = indexInterests([{ interest, params: {} }])
  return interestedIn({ shell, paths: [], changes: [], impacts }, index, false)?.length !== 0
}

describe('of another tool than the shell, a policy', () => {
  it('with an interest in impacts alone is asked about these, and about nothing else', () => {
    expect(isAskedOfTool({ impacts: ['delete'] }, [impact])).toBe(true)
    expect(isAskedOfTool({ impacts: ['mcp-tools'] }, [impact])).toBe(true)
    expect(isAskedOfTool({ impacts: ['send', 'git'] }, [impact])).toBe(false)
    expect(isAskedOfTool({ impacts: ['delete'] }, [])).toBe(false)
  })

  it.each<PolicyInterest | undefined>([
    undefined,
    { words: ['git'] },
    { words: ['git'], impacts: ['send'] },
    { access: ['delete'] },
    { unknown: true },
  ])('with the interest %j is always asked, also where the tool runs a command', (interest) => {
    expect(isAskedOfTool(interest, [])).toBe(true)
    expect(isAskedOfTool(interest, [], 'ls -l')).toBe(true)
  })
})

/** True if a policy with this interest is asked about a command. */
function isAsked(interest: PolicyInterest, command: string, params: JsonObject = {}): boolean {
  const shell = factsOf(command)
  const paths = shell.commands.flatMap(({ paths: touched }) => touched)
  const found = { shell, paths, changes: [], impacts: impactsIn(shell) }
  const index = indexInterests([{ interest: PolicyInterest.parse(interest), params }])
  return interestedIn(found, index, true)?.length !== 0
}

describe('a policy with an interest in a program', () => {
  it.each([
    'git push',
    '/usr/bin/git push',
    'ls; (sudo -u x git push)',
    'sh -c "git push"',
    'xargs git add < list',
    'echo $(git log)',
    'alias g=git; g push',
    'python3 -m git',
    'GIT status',
    `python3 -c "import subprocess; subprocess.run(['git', 'push'])"`,
  ])('is asked about `%s`', (command) => {
    expect(isAsked({ words: ['hub', 'git'] }, command)).toBe(true)
    expect(isAsked({ words: ['hub git'] }, command)).toBe(true)
  })

  it.each(['ls -l', 'npm test > log', 'digit --gitx'])('is spared `%s`', (command) => {
    expect(isAsked({ words: ['git', 'hub'] }, command)).toBe(false)
  })

  it.each([
    ['a program in a variable', '$X push'],
    ['a part of a program’s name', 'gi$X push'],
    ['a program found by a pattern', '/usr/bin/g?t push'],
    ['several possible programs', '$(cat list) push'],
    ['code of unknown text', 'bash -c "$X"'],
    ['code from a file', 'cat list | sh'],
    ['a syntax error', 'if true; then echo'],
    ['an argument too long to be looked through', `echo ${'x'.repeat(5000)}`],
    ['a fork bomb', ':(){ :|:& };:'],
    ['no command at all', '# nothing'],
  ])('is asked about %s', (_, command) => {
    expect(isAsked({ words: ['hub'] }, command)).toBe(true)
  })

  it('finds a name by its first letters and digits, whatever version or ending it has', () => {
    expect(isAsked({ words: ['mkfs'] }, '/sbin/mkfs.ext4 /dev/sda')).toBe(true)
    expect(isAsked({ words: ['python'] }, 'python3.11 -V')).toBe(true)
    expect(isAsked({ words: ['kafka-topics'] }, 'kafka-topics.sh --list')).toBe(true)
  })
})

describe('a policy with another interest', () => {
  it.each([
    [{ access: ['delete'] }, 'rm -r a', 'cat a'],
    [{ access: ['read', 'write'] }, 'echo a > b', 'echo a'],
    [{ code: true }, 'node -e 1', 'node a.js'],
    [{ network: true }, 'curl https://a.example', 'ls'],
    [{ network: ['mail', 'lookup'] }, 'ping a.example', 'curl https://a.example'],
    [{ assignments: true }, 'A=1 make', 'make A=1'],
    [{ output: ['decoded', 'setup'] }, 'base64 -d a', 'base64 a'],
    [{ message: true }, 'jira issue create', 'gh secret list'],
    [{ words: ['tcp'] }, 'echo a > /dev/tcp/h/1', 'echo a > b'],
  ] as const)('%j is asked about `%s`, and not about `%s`', (interest, about, not) => {
    expect(isAsked(interest, about)).toBe(true)
    expect(isAsked(interest, not)).toBe(false)
  })
})

describe('a policy with an interest in a program with certain words', () => {
  const interest: PolicyInterest = { words: ['git hub'], with: ['push send-pack'] }

  it.each([
    'git push',
    'git -C a push',
    'git-push origin',
    'git send-pack a',
    'git $X',
    'git $(cat verb)',
    'git pus? origin',
    `python3 -c "import subprocess; subprocess.run(['git', 'push'])"`,
  ])('is asked about `%s`', (command) => {
    expect(isAsked(interest, command)).toBe(true)
  })

  it.each(['git status', 'echo push', 'git log; npm run push'])('is spared `%s`', (command) => {
    expect(isAsked(interest, command)).toBe(false)
  })

  it('is asked about what it declares besides, whatever words that has', () => {
    expect(isAsked({ ...interest, access: ['delete'] }, 'rm a')).toBe(true)
  })
})

describe('a policy with an interest in the texts of a param', () => {
  const asked = (command: string, targets: readonly string[]) =>
    isAsked({ words: ['heroku'], params: ['targets'] }, command, { targets })

  it.each([
    'deploy --env blue',
    'deploy blue2',
    './deployBlue.sh',
    'kubectl --context $BLUE_CONTEXT get pods',
    'heroku ps',
  ])('is asked about `%s`', (command) => {
    expect(asked(command, ['blue'])).toBe(true)
  })

  it('is spared other texts, and those of another param', () => {
    expect(asked('deploy --env green', ['blue'])).toBe(false)
    expect(asked('deploy --env default', [])).toBe(false)
  })

  it('is asked about every command where one of the texts has no letters that could be found', () => {
    expect(asked('git status', ['blue', '本番'])).toBe(true)
  })
})

describe('a policy with an interest in nothing but the unknown', () => {
  it('is asked about that alone', () => {
    expect(isAsked({ unknown: true }, '$X push')).toBe(true)
    expect(isAsked({ unknown: true }, 'rm -rf /')).toBe(false)
  })
})

describe('an example', () => {
  const read = async (interest: string, command: string, want: string) => {
    const more = `tool: 'shell', interest: ${interest},
      examples: [{ name: 'x', given: { input: { command: '${command}' } }, want: '${want}' }],`
    const decide = `if (tool.command.includes('push')) return deny('no')`
    const { read: readRules } = policyMachine({ 'work/.hookgate/policies/a.policy.ts': policyText('a', more, decide) })
    return (await readRules()).problems.join()
  }

  it.each([
    [`{ words: ['git'] }`, 'git push', 'deny', /^$/],
    [`{ words: ['hg'] }`, 'ls', 'abstain', /^$/],
    [`{ words: ['hg'] }`, 'git push', 'deny', /outside the declared `interest` \(words\)/],
  ])('fails if the policy answers outside of its interest: %s, %s', async (interest, command, want, problem) => {
    expect(await read(interest, command, want)).toMatch(problem)
  })

  it.each([
    [`{}`, /names nothing/],
    [`{ words: ['&&'] }`, /must have a letter or a digit/],
    [`{ words: [] }`, /words/],
    [`{ programs: ['git'] }`, /programs/],
    [`{ with: ['push'] }`, /narrows `words`/],
    [`{ words: ['git'], params: ['branches'] }`, /there is no such param `branches`/],
  ])('is not even run for the interest %s', async (interest, problem) => {
    expect(await read(interest, 'git push', 'deny')).toMatch(problem)
  })
})

describe('the choice of the policies that are asked', () => {
  const names = ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg', 'hh', 'ii', 'jj']
  const event: HookEvent = {
    name: 'PreToolUse',
    agent: 'claude-code',
    session: { id: 's', cwd: '/w' },
    workspaceRoots: ['/w'],
    atMs: 0,
    raw: {},
    tool: { kind: 'shell', name: 'Bash', input: {}, command: 'x' },
  }

  it('is made once for commands that concern the same policies, and again only after very many other choices', async () => {
    const textOf = (name: string) =>
      policyText(name, `tool: 'shell', interest: { words: ['${name}'] }, examples: [],`, 'return undefined').replace(
        '{ tool, facts, params }',
        '{ shell }',
      )
    const files = names.map((name) => [`work/.hookgate/policies/${name}.policy.ts`, textOf(name)] as const)
    const { read } = policyMachine(Object.fromEntries<string>(files))
    const rules = (await read()).rules.filter(isPolicyRule)
    expect(rules.map(({ handler }) => handler.interest?.words)).toEqual(names.map((one) => [one]))
    const list = new PolicyList(rules)
    const callsFor = async (words: readonly string[]) => {
      const requests: PolicyRequest[] = []
      const shell = factsOf(`echo ${words.join(' ')}`)
      await evaluatePolicies(list, event, {
        evaluate(request) {
          requests.push(request)
          return Promise.resolve(request.calls.all.map(() => ({ answers: [], durationMs: 0 })))
        },
        gatherFacts: () => Promise.resolve([]),
        toolFacts: () => Promise.resolve({ shell, paths: [], changes: [], impacts: [] }),
        withHarmless: async (found) => found,
        signal: undefined,
      })
      return requests[0]?.calls
    }
    const first = await callsFor(['aa', 'bb'])
    expect(first?.all).toHaveLength(2)
    expect(await callsFor(['bb', 'x', 'aa'])).toBe(first)
    for (let choice = 1; choice <= interestChoicesMax + 1; choice += 1)
      // oxlint-disable-next-line no-await-in-loop -- one choice after the other
      await callsFor(names.filter((_, at) => (choice & (1 << at)) !== 0))
    const again = await callsFor(['aa', 'bb'])
    expect(again).toEqual(first)
    expect(again).not.toBe(first)
  })
})

describe('a policy with an interest in impacts', () => {
  it.each([
    'kubectl delete pod web-1',
    'sudo sh -c "kubectl delete pod web-1"',
    'kubectl $VERB pods',
    '$X; kubectl delete pod a',
  ])('is asked about `%s`, by the kind and by the area', (command) => {
    expect(isAsked({ impacts: ['delete'] }, command)).toBe(true)
    expect(isAsked({ impacts: ['kubernetes'] }, command)).toBe(true)
  })

  it('alone is not asked about what is unknown, since an impact that depends on it is there as well', () => {
    for (const command of ['$X push', 'bash -c "$X"', 'kubectl get pods', 'aws s3 rb s3://a'])
      expect([command, isAsked({ impacts: ['kubernetes'] }, command)]).toEqual([command, false])
  })

  it('in words too is asked about both, and about what is unknown', () => {
    for (const command of ['kubectl delete pod a', 'git push', '$X push'])
      expect([command, isAsked({ impacts: ['kubernetes'], words: ['git'] }, command)]).toEqual([command, true])
    expect(isAsked({ impacts: ['kubernetes'], words: ['git'] }, 'ls -l')).toBe(false)
  })
})
