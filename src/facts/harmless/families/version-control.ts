import type { Looks } from '../look.ts'

/** Programs for version control besides git. Settings and options for diff tools may name programs, so none may be given. */
export const versionControl: Looks = {
  svn: {
    never: '--config-option|--config-dir|--diff-cmd|--diff3-cmd|--editor-cmd|--extensions|-x',
    lines: `
      status|stat|st|log|info|diff|di|blame|praise|annotate|ls|list|cat|help
      proplist|plist|propget|pget`,
  },
  hg: {
    options: 'R repository cwd color +q +quiet +v +verbose +noninteractive',
    never: '--config|--config-file|--pager|--tool',
    lines: `
      status|st|log|history|diff|summary|sum|identify|id|parents|heads|tip|files|manifest|annotate|blame|grep|paths|root|help !-o|--output
      branch|bookmarks|bookmark|tag [] ..0
      branches|tags|version`,
  },
  jj: {
    options: 'R repository at-operation at-op color +no-pager +quiet +ignore-working-copy',
    never: '--config|--config-toml|--config-file|--tool',
    lines: `
      status|st|log|diff|show|evolog|interdiff|version|help|root
      file list|show|annotate
      op|operation log|show|diff
      bookmark|b|tag|workspace list`,
  },
  glab: {
    options: 'R repo g group',
    lines: `
      mr|issue list|ls|view|show|diff|issues|approvers !-w|--web
      ci|pipeline list|status|get|trace !-l|--live
      repo|project view|list|search|contributors !-w|--web
      release|label|milestone|snippet|schedule list|view|ls
      version|help`,
  },
}
