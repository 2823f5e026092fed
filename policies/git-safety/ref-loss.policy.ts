import { abstains, ask, asks, definePolicy, denies, deny, type PolicyAnswer } from 'hookgate/policy'
import { type GitCall, gitCallsIn, optionsOf, shown } from './git.ts'
import { isLike } from './push.ts'

interface Loss {
  readonly kind: 'branch' | 'tag' | 'ref'
  readonly names: readonly string[]
  readonly certain: boolean
}

function lossOf(call: GitCall): Loss | undefined {
  const of = (kind: Loss['kind'], names: readonly string[], certain = false): Loss => ({ kind, names, certain })
  switch (call.subcommand) {
    case 'branch': {
      const read = optionsOf(call)
      if (read === undefined) return undefined
      const forced = read.has('D', 'C', 'M') || read.has('f', 'force')
      return forced && (read.has('D', 'd', 'delete') || read.has('f', 'force'))
        ? of('branch', read.operands.map(shown))
        : undefined
    }
    case 'tag': {
      const read = optionsOf(call)
      return read?.has('d', 'delete', 'f', 'force') === true ? of('tag', read.operands.map(shown)) : undefined
    }
    case 'update-ref': {
      const read = optionsOf(call)
      if (read?.has('stdin') === true) return of('ref', ['refs'])
      return read?.has('d') === true ? of('ref', read.operands.map(shown), true) : undefined
    }
    case 'symbolic-ref':
      return optionsOf(call)?.has('d', 'delete') === true ? of('ref', ['HEAD']) : undefined
    case 'replace':
      return optionsOf(call)?.has('d', 'delete', 'f', 'force', 'g', 'graft') === true
        ? of('ref', ['objects'])
        : undefined
    case 'notes':
      return /^(?:remove|prune)$/.test(optionsOf(call)?.operands[0]?.value ?? '') ? of('ref', ['notes']) : undefined
    default:
      return undefined
  }
}

export default definePolicy({
  id: 'ref-loss',
  severity: 'medium',
  description: 'Asks before deleting branches and tags that may be the only thing keeping their commits',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['git hub'], with: ['branch tag update-ref symbolic-ref replace notes'] },
  params: {
    deletableBranches: {
      type: 'strings',
      default: [],
      description: 'branches that may be deleted by force; `*` at the end matches anything',
    },
  },
  decide({ shell, params }) {
    let question: PolicyAnswer | undefined
    for (const call of gitCallsIn(shell)) {
      const loss = lossOf(call)
      const names = loss?.names.filter(
        (name) => loss.kind !== 'branch' || !params.deletableBranches.some((one) => isLike(name, one)),
      )
      const [name] = names ?? []
      if (loss === undefined || name === undefined) continue
      const message = `git ${call.subcommand} would lose ${name}, and with it commits that nothing else may hold`
      if (loss.certain) return deny(`${message}: use git branch -d, which checks first`, { at: call.at })
      question ??= ask(
        loss.kind === 'branch'
          ? `${message}: git branch -d deletes only what is merged`
          : `${message}: make new ones instead`,
        { at: call.at },
      )
    }
    return question
  },
  examples: [
    asks('a branch by force', 'git branch -D topic'),
    abstains('a branch that is merged', 'git branch -d topic'),
    asks('in words', 'git branch --delete --force topic'),
    abstains('a list', 'git branch --contains v1'),
    asks('a tag', 'git tag -d v1'),
    abstains('a new tag', 'git tag -a v1 -m d'),
    denies('a ref', 'git update-ref -d refs/heads/main'),
    abstains('moving a ref', 'git update-ref refs/heads/x HEAD'),
    abstains('a branch that may go', 'git branch -D tmp/a', { params: { deletableBranches: ['tmp/*'] } }),
  ],
})
