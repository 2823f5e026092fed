import { tableOf, unknownPart } from 'hookgate/policy'
import type { Call, Judge } from '../call.ts'
import { matchesTable, prepareLines } from '../table.ts'

const table = tableOf(
  prepareLines,
  `
log,show,shortlog,whatchanged,diff,diff-tree,diff-index,diff-files,range-diff !output !ext-diff
status,describe,rev-parse,rev-list,ls-files,ls-tree,name-rev,merge-base,count-objects,cherry,for-each-ref,show-ref,show-branch,show-index,verify-commit,verify-tag,verify-pack,check-ignore,check-attr,check-mailmap,check-ref-format,version,get-tar-commit-id,patch-id,stripspace,fmt-merge-msg,column,blame,annotate,diff-pairs,whatchanged
var !e
help !w !web
fsck !lost-found
cat-file !textconv !filters
ls-remote,request-pull !upload-pack !exec !o !server-option
grep !O !open-files-in-pager !ext-grep !textconv
branch <0 ~ ~a ~r ~v ~all ~remotes ~remote ~verbose ~show-current ~i ~ignore-case ~q ~quiet ~color ~no-color ~abbrev ~no-abbrev ~column ~no-column ~l ~list =sort =format
branch +l,list,contains,merged,no-merged,points-at,no-contains !d !D !m !M !c !C !f !u !t !delete !move !copy !force !set-upstream-to !unset-upstream !track !edit-description !create-reflog =sort =format
tag <0 ~ ~i ~ignore-case ~color ~column ~no-column =sort =format
tag +l,n,list,contains,no-contains,points-at,merged,no-merged,v,verify !a !s !u !d !delete !f !force !m !F !message !file !sign !annotate !local-user !e !edit !create-reflog
remote <0 ~ ~v ~verbose
remote show,get-url
reflog <0 =n =max-count !output !ext-diff
reflog show !output !ext-diff
reflog list,exists
stash list,show !output !ext-diff
config +l,list,get,get-all,get-regexp,get-urlmatch,get-color,get-colorbool !unset !unset-all !add !replace-all !rename-section !remove-section !e !edit
config list,get !unset !add !edit !replace-all
config <1 ~ ~global ~local ~system ~worktree ~show-origin ~show-scope ~null ~z ~name-only ~type ~int ~bool ~path ~includes ~no-includes ~bool-or-int =file =f =blob =default
worktree,notes list
submodule status,summary
submodule <0 ~
notes show,get-ref
bisect log
bisect view,visualize <0 ~
merge-tree !write-tree
symbolic-ref <1 ~ ~short ~q ~quiet ~recurse ~no-recurse
bundle verify,list-heads
lfs ls-files,status,env,logs,version,pointer
lfs locks <0
sparse-checkout list
rerere <0 ~
rerere status,diff,remaining
apply +check ~check ~v ~verbose ~reverse ~R ~exclude ~include ~recount ~ignore-whitespace ~whitespace ~directory ~q =p
archive !o !output !exec !add-file +l,list
archive ~ ~remote ~format ~prefix ~v ~verbose ~worktree-attributes =remote =format =prefix
fetch !upload-pack !exec !o !f !force !server-option !update-head-ok !u !refmap !set-upstream
hash-object !w
replace +l,list !d !delete !e !edit !f !g
`,
  'C git-dir work-tree namespace c',
  'P no-pager p paginate bare no-replace-objects literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks',
)

/** Settings that only change how something looks: others name programs, or change where git writes. */
const looks =
  /^(color|advice|log|column)\.|^core\.(quotepath|abbrev|pager=(cat)?$)|^diff\.(noprefix|renames|algorithm)|^user\./i

/** Git commands that print only commit ids, and no word with a leading dash. */
const ids = () =>
  /\$\(\s*git (?:merge-base|rev-parse|rev-list (?:-1|-n ?1|--max-count=1))(?: (?!-)[\w./@{}~^-]+)+\s*\)/g

/**
 * `git diff $(git merge-base main HEAD)`: words that are not known, but are no options, as nothing else of the command is
 * unknown. Its text tells, if it is its own: what `xargs` adds is not in it.
 */
function withIds(call: Call, text: string): Call {
  const isOwn =
    call.command?.reach.every(({ through }) =>
      /^(?:subshell|pipeline|background|condition|loop|case|substitution)$/.test(through),
    ) === true
  if (!isOwn || !text.includes('$(') || /[$`*?[]/.test(text.replace(ids(), ''))) return call
  return {
    ...call,
    args: call.args.map((word) =>
      word.unresolved === true ? { value: word.value.replaceAll(unknownPart, 'HEAD') } : word,
    ),
  }
}

/** Read-only commands of git. Fetching is one: it updates remote-tracking refs, and no branch. */
export const git: Judge = (given) => {
  const call = withIds(given, given.text ?? '')
  const { args } = call
  const settings = args.flatMap((word, at) =>
    args[at - 1]?.value === '-c' ? [word] : word.value.startsWith('-c') ? [{ value: word.value.slice(2) }] : [],
  )
  const subcommand = args.findIndex(
    (word, at) =>
      !word.value.startsWith('-') && !/^-[Cc]$|^--(git-dir|work-tree|namespace)$/.test(args[at - 1]?.value ?? ''),
  )
  // Options before the subcommand may start programs, so an unknown one is not allowed.
  const own = args.slice(0, subcommand === -1 ? undefined : subcommand).map((word) => word.value)
  if (own.some((value) => value.startsWith('-c')) && !settings.every(({ value }) => value === '' || looks.test(value)))
    return false
  const operands = args.slice(subcommand + 1).filter((word) => !word.value.startsWith('-'))
  // `ext::sh -c …` is a remote, and `+main:main` replaces a branch.
  if (operands.some(({ value }) => value.includes('::'))) return false
  if (args[subcommand]?.value === 'fetch' && operands.slice(1).some(({ value }) => /[+:]/.test(value))) return false
  return matchesTable(call, table)
}
