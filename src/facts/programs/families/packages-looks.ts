import { type LookRule, type Judge, matchesTable, type Table } from '../looks/look.ts'
import type { Family } from '../program.ts'

const brewTable: Table = {
  options: '+v +verbose +d +debug +q +quiet',
  lines: `
    info|abv|list|ls|search|deps|desc|uses|outdated|config|doctor|dr|tap-info|log|commands|help|cat|leaves|missing|options|formulae|casks|shellenv|formula|fetch|home|homepage|docs|casks
    tap !--repair ..0
    analytics [] ..0
    analytics state
    bundle list|check
    services list ..0`,
}

const asOption = /^(?:--(?:prefix|cellar|cache|caskroom|repository|repo|env|config|version|taps)|-v|-S)$/

/** Judges Homebrew, some of whose commands are written like options: `brew --prefix`. */
export const brew: Judge = (look) => {
  const [first, ...rest] = look.args
  if (!asOption.test(first?.value ?? '')) return matchesTable(look, brewTable)
  return (
    !rest.some(({ value }) => asOption.test(value)) &&
    look.args.every((word) => word.several !== true && word.unresolved !== true) &&
    (first?.value !== '-v' || rest.length === 0)
  )
}

export const pipLooks: LookRule = {
  options:
    'python log proxy cache-dir +q +quiet +v +verbose +no-color +isolated +require-virtualenv +disable-pip-version-check +no-input',
  never: '--log',
  lines: `
      list|show|freeze|check|search|hash|inspect|help|debug|completion|version
      index versions
      cache dir|info|list
      config list|get|debug`,
}

/** Package managers, where they only show packages or projects. */
export const packages: Family = {
  programs: {
    rebar3: { looks: 'tree|deps|version' },
  },
}
