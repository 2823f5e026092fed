import { tableOf } from 'hookgate/policy'
import type { Judge } from '../call.ts'
import { matchesTable, prepareLines } from '../table.ts'

const table = tableOf(
  prepareLines,
  `
info,abv,list,ls,search,deps,desc,uses,outdated,config,doctor,dr,tap-info,log,commands,help,cat,leaves,missing,options,formulae,casks,shellenv,formula,fetch,home,homepage,docs,casks
tap <0 !repair
analytics <0 ~
analytics state
bundle list,check
services list <0
`,
  '',
  'v verbose d debug q quiet',
)

const asOption = ' --prefix --cellar --cache --caskroom --repository --repo --env --config --version --taps -v -S '

/** Homebrew: some of its commands are written as options, where a command stands. */
export const brew: Judge = (call) =>
  asOption.includes(` ${call.args[0]?.value ?? ' '} `)
    ? !call.args.slice(1).some((word) => asOption.includes(` ${word.value} `)) &&
      call.args.every((word) => word.several !== true && word.unresolved !== true) &&
      (call.args[0]?.value !== '-v' || call.args.length === 1)
    : matchesTable(call, table)
