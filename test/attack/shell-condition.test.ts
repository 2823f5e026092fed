import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../src/model/event.ts'
import { limits } from '../../src/model/limits.ts'
import { shellFacts } from '../../src/facts/shell/shell-facts.ts'
import { commandMeets } from '../../src/rules/match/shell-condition.ts'
import { ruleSet } from '../../src/rules/merge.ts'
import { planFor } from '../../src/rules/plan.ts'
import { ruleNamed, shellEvent } from '../support/plans.ts'

// An agent that knows of a guard with an `if` disguises its command so that the guard is not evaluated. Each of these
// runs `git push` in bash, or may.

const around = { cwd: '/home/someone/project', home: '/home/someone', workspaceRoots: ['/home/someone/project'] }
const meets = (pattern: string, command: string) => commandMeets(pattern, command, shellFacts(command, around))

describe('a disguised `git push`', () => {
  it.each([
    ['behind a carriage return that is no blank, and so begins no comment', 'echo \r#; git push --force'],
    ['behind arithmetic with a base', '((x=16 #f)); git push'],
    ['behind an arithmetic expansion with a base', 'echo $((x=16 #f)); git push\n))'],
    ['behind an arithmetic expansion of the old kind', 'echo $[16 #f]; git push'],
    ['behind a pattern with a number sign', "[[ ' #' =~ ( #) ]]; git push"],
    ['in a function with a keyword', 'function f { git push; }; f'],
    ['with a blank in brackets', 'gi[t\\ ] push'],
    ['with long brackets', `gi[${'t'.repeat(300)}] push`],
    ['with braces around nothing', '{},git} push'],
    ['into a pipe that is sourced', 'source <(echo git push)'],
    ['into an input that is sourced', '. /dev/stdin <<< "git push"'],
    ['into an input that is named as the script', 'bash /dev/stdin <<< "git push"'],
    ['into a descriptor that is named as the script', 'bash /proc/self/fd/0 <<< "git push"'],
    ['into a shell with an option of two words', 'echo git push | bash -o posix'],
    ['into a shell with arguments', 'echo git push | bash -s now'],
    ['behind xargs', 'echo push | xargs git'],
    ['behind xargs with a place to put it', 'echo push | xargs -I{} git {}'],
    ['behind xargs in the place of the program', 'echo git | sudo xargs -I% % push'],
    ['behind parallel', 'parallel git ::: push'],
    ['behind find', 'find . -name push -exec git {} +'],
    ['with another name', "alias g='git push'; g"],
    ['behind pkexec', 'pkexec git push'],
    ['behind prlimit', 'prlimit --nofile=9 git push'],
    ['behind setpriv', 'setpriv --no-new-privs git push'],
    ['behind setarch', 'setarch -R git push'],
    ['behind rlwrap', 'rlwrap git push'],
    ['behind npx', "npx -c 'git push'"],
    ['for another shell', "csh -c 'git push'"],
    ['for a restricted shell', "rbash -c 'git push'"],
  ])('%s, is matched', (_, command) => {
    expect(meets('git push *', command)).toBe(true)
  })

  it('behind more options of the program than a rule is tried on, is matched', () => {
    const many = limits.movedOptionsMax + 1
    expect(meets('git push *', `git ${'-C . '.repeat(many)}push`)).toBe(true)
    expect(meets('git push --force*', `git push ${'-q '.repeat(many)}--force`)).toBe(true)
    expect(meets('acme push *', `acme ${'-C . '.repeat(many)}push`)).toBe(true)
    expect(meets('git push --force*', `git push -o ${'x'.repeat(2000)} --force`)).toBe(true)
  })

  it('with a variable of a long name, is matched', () => {
    const name = 'A'.repeat(300)
    expect(meets('git push --force', `${name}=push; git $${name} --force`)).toBe(true)
  })

  it.each([
    'echo $((1 + 2))',
    'bash build.sh git',
    "bash -ec 'git status'",
    '. ./env.sh; git status',
    'find . | xargs grep push',
    'function f { git status; }; f',
    '[[ -f push ]] && git status "$(pwd)"',
    '[ -f push ] && git status',
    'find . -exec grep push {} +',
  ])('is not taken for one that is none: %j', (command) => {
    expect(meets('git push *', command)).toBe(false)
  })
})

describe('an `if` that is made slow', () => {
  const command = 'a'.repeat(limits.conditionSubjectCharactersMax)
  const event: HookEvent = { ...shellEvent, tool: { kind: 'shell', name: 'Bash', input: { command }, command } }
  const slow = (id: string, untrustedReason: string | undefined) => {
    const plain = ruleNamed(id)
    const program = { form: 'shell', shell: 'sh', command: id } as const
    const condition = { text: 'slow', tool: 'Bash', pattern: `${'*a'.repeat(2000)}Z` }
    return { ...plain, match: { ...plain.match, condition }, untrustedReason, handler: { ...plain.handler, program } }
  }

  it('is abandoned, and treated as met', () => {
    expect(planFor(event, ruleSet([slow('a', undefined)])).rules).toHaveLength(1)
  })

  it('is not evaluated in untrusted rules, however many there are', () => {
    const rules = Array.from({ length: 1000 }, (_, index) => slow(`${index}`, 'it came with a workspace'))
    // The timeout of the test is its assertion: a thousand times the budget of one rule would exceed it by far.
    expect(planFor(event, ruleSet(rules)).rules).toHaveLength(1000)
  })
})
