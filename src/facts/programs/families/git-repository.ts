import type { Rows } from '../row.ts'

/**
 * Rows of git's subcommands that work on the repository: its branches, tags, settings and objects. Their long options may
 * be cut short, so those that a policy looks for are here, with those that they could be taken for.
 */
export const gitRepositorySubcommands: Rows = {
  commit: {
    options:
      'm message F file C reuse-message c reedit-message fixup squash author date t template trailer cleanup pathspec-from-file U unified inter-hunk-context u? S? gpg-sign +untracked-files +no-verify +verify +no-post-rewrite +amend +all +include +interactive +only +patch +quiet +verbose +allow-empty +allow-empty-message +no-edit +edit +signoff +no-signoff +dry-run +reset-author +short +branch +porcelain +long +null +status +no-status',
  },
  tag: {
    options:
      'm message F file u local-user sort format points-at contains no-contains merged no-merged cleanup trailer +delete +force +list +annotate +sign +no-sign +verify +create-reflog +color +column +edit +ignore-case',
  },
  branch: {
    options:
      'u set-upstream-to sort points-at format contains no-contains merged no-merged +delete +force +move +copy +list +all +remotes +verbose +quiet +track +no-track +edit-description +show-current +unset-upstream +create-reflog +color +no-color +column +ignore-case +abbrev',
  },
  notes: { options: 'm message F file C c t pathspec-from-file ref +force +staged +patch +quiet' },
  stash: {
    options: 'm message F file C c t pathspec-from-file ref +force +staged +patch +quiet',
    effects({ operands: [verb, ...files] }, recorder) {
      if (verb?.value === 'push') for (const file of files) recorder.touch(file, 'write', { recursive: true })
    },
  },
  switch: {
    options:
      'c create C force-create orphan conflict +force +discard-changes +detach +guess +no-guess +merge +quiet +progress +track +no-track +ignore-other-worktrees +no-merge +recurse-submodules +no-recurse-submodules +no-detach',
  },
  reset: {
    options:
      'pathspec-from-file U unified inter-hunk-context +hard +soft +mixed +merge +keep +quiet +patch +refresh +no-refresh +recurse-submodules +no-recurse-submodules +intent-to-add +pathspec-file-nul',
  },
  'read-tree': {
    options: 'prefix exclude-per-directory index-output=write +reset +empty +trivial +aggressive +dry-run +quiet',
    effects(line, recorder) {
      if (line.has('u')) recorder.touch(line.value('prefix'), 'into')
    },
  },
  merge: {
    options:
      'm message F file into-name s strategy X strategy-option cleanup S? gpg-sign +abort +continue +quit +no-verify +verify +quiet +verbose +commit +no-commit +edit +no-edit +squash +no-squash +signoff +stat +no-stat +log +autostash +no-autostash +allow-unrelated-histories +rerere-autoupdate +verify-signatures +overwrite-ignore +progress',
  },
  rebase: {
    options:
      'x=script exec=script onto s strategy X strategy-option C whitespace S? gpg-sign +root +abort +skip +continue +quit +edit-todo +show-current-patch +interactive +merge +no-verify +verify +quiet +verbose +stat +no-stat +signoff +autosquash +no-autosquash +autostash +no-autostash +keep-base +keep-empty +no-keep-empty +fork-point +no-fork-point +update-refs +rebase-merges +reset-author-date +committer-date-is-author-date +ignore-whitespace +reapply-cherry-picks +force-rebase +no-ff +rerere-autoupdate +apply',
  },
  'cherry-pick, revert': {
    options:
      'm mainline s strategy X strategy-option cleanup S? gpg-sign +abort +skip +continue +quit +no-commit +edit +no-edit +signoff +reference +ff +allow-empty +allow-empty-message +keep-redundant-commits +empty +rerere-autoupdate +no-verify',
  },
  'update-ref': { options: 'm +stdin +no-deref +create-reflog' },
  'symbolic-ref': { options: 'm +delete +quiet +short +recurse +no-recurse' },
  replace: { options: 'format +delete +force +graft +edit +list +raw +convert-graft-file' },
  gc: {
    options:
      'expire-to max-cruft-size +prune +no-prune +aggressive +auto +force +quiet +detach +no-detach +cruft +no-cruft +keep-largest-pack',
  },
  prune: { options: 'expire +dry-run +verbose +progress +exclude-promisor-objects' },
  reflog: {
    options:
      'expire expire-unreachable +all +dry-run +rewrite +updateref +stale-fix +verbose +single-worktree +date +format',
  },
  'filter-repo': {
    options:
      'path path-glob path-regex paths-from-file path-rename subdirectory-filter to-subdirectory-filter replace-text replace-message strip-blobs-bigger-than strip-blobs-with-ids mailmap refs source target tag-rename replace-refs state-branch blob-callback commit-callback message-callback name-callback email-callback filename-callback refname-callback +force +analyze +dry-run +invert-paths +use-base-name +quiet +partial +debug +prune-empty +prune-degenerate +stdin',
  },
  'fast-import': {
    options:
      'date-format max-pack-size big-file-threshold depth active-branches export-marks import-marks export-pack-edges cat-blob-fd +force +quiet +stats +done +allow-unsafe-features',
  },
  daemon: {
    options:
      'access-hook base-path interpolated-path timeout init-timeout max-connections pid-file user group listen port enable disable allow-override forbid-override',
  },
}
