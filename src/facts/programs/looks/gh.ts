import type { ShellWord } from '../../../model/shell.ts'
import { type Judge, leadingWords, matchesTable, readLook, type Table } from './look.ts'

const ghTable: Table = {
  options: 'R repo hostname',
  lines: `
    status|browse|version|completion|help
    pr|issue list|view|status|ls
    pr checks|diff
    run list|view|watch|download|ls
    repo list|view|ls
    repo gitignore|license|deploy-key|autolink list|view|ls
    workflow list|view|ls
    release list|view|download|verify|verify-asset|ls
    gist list|view|ls
    search repos|issues|prs|commits|code
    cache list|ls
    secret|variable|label list|ls
    variable get
    config get|list|ls
    extension|extensions|ext list|ls|search
    alias list|ls
    auth status !-t|--show-token
    codespace|cs list|ls|view|logs|ports
    ssh-key|gpg-key list|ls
    project list|ls|view|item-list|field-list
    org list|ls
    ruleset|rs list|ls|view|check
    attestation|at verify|trusted-root
    agent-task|discussion list|ls|view
    issue develop -l|--list !-b|--base|-n|--name|-c|--checkout
    licenses`,
}

/** Judges `gh api`: a request only looks if it is a GET, or a query of GraphQL. */
function judgeApi(args: readonly ShellWord[], options: string): boolean {
  const { names, operands, unknown, values } = readLook(args, options)
  if (unknown || args.some((word) => word.unresolved === true) || names.includes('input')) return false
  const endpoint = operands[1]?.value ?? ''
  const fields = values('f', 'F', 'field', 'raw-field')
  if (endpoint === 'graphql' || /\/graphql\/?$/.test(endpoint)) return isQuery(args, fields)
  const methods = values('X', 'method').map(({ value }) => value.replace(/^=/, ''))
  return methods.length === 0 ? fields.length === 0 : methods.length === 1 && /^(?:get|head)$/i.test(methods[0] ?? '')
}

/** True if a GraphQL request is fully known, and a query. */
function isQuery(args: readonly ShellWord[], fields: readonly ShellWord[]): boolean {
  const queries = fields.flatMap(({ value }) => /^query=([^]*)/.exec(value)?.[1] ?? [])
  return (
    queries.length === 1 &&
    queries.every((query) => /^\s*(?:query\b|\{)/.test(query)) &&
    !args.some(({ value }) => /\b(?:mutation|subscription)\b/i.test(value) || /=@/.test(value))
  )
}

/** Makes the judge of GitHub's own command line, by its options. Its downloads count as looks. */
export const gh =
  (options: string): Judge =>
  (look) =>
    leadingWords(look.args, ghTable.options ?? '')[0] === 'api'
      ? judgeApi(look.args, options)
      : matchesTable(look, ghTable)
