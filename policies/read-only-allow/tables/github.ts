import { tableOf } from 'hookgate/policy'
import type { Call, Judge } from '../call.ts'
import { matchesTable, optionsOf, prepareLines } from '../table.ts'

const table = tableOf(
  prepareLines,
  `
status,browse,version,completion,help
pr,issue list,view,status,ls
pr checks,diff
run list,view,watch,download,ls
repo list,view,ls
repo gitignore,license,deploy-key,autolink list,view,ls
workflow list,view,ls
release list,view,download,verify,verify-asset,ls
gist list,view,ls
search repos,issues,prs,commits,code
cache list,ls
secret,variable,label list,ls
variable get
config get,list,ls
extension,extensions,ext list,ls,search
alias list,ls
auth status !t !show-token
codespace,cs list,ls,view,logs,ports
ssh-key,gpg-key list,ls
project list,ls,view,item-list,field-list
org list,ls
ruleset,rs list,ls,view,check
attestation,at verify,trusted-root
agent-task,discussion list,ls,view
issue develop +l,list !b !base !n !name !c !checkout
licenses
`,
  'R repo hostname',
)

/** A call of an interface of HTTP: harmless where it is a GET, or a query of GraphQL. */
const api: Judge = ({ args }) => {
  const { names, unknown } = optionsOf(
    args,
    [
      'R',
      'repo',
      'hostname',
      'X',
      'H',
      'f',
      'F',
      'q',
      't',
      'p',
      'method',
      'header',
      'jq',
      'template',
      'cache',
      'field',
      'raw-field',
      'input',
      'preview',
    ],
    {},
  )
  if (unknown || args.some((word) => word.unresolved === true)) return false
  const text = args.map((word) => word.value)
  const endpoint = text[text.indexOf('api') + 1] ?? ''
  const method = methodIn(text)
  if (endpoint === 'graphql' || /\/graphql\/?$/.test(endpoint)) return isQuery(text, names)
  if (method !== undefined) return /^get|head$/i.test(method) && !names.includes('input')
  return !names.some((name) => /^(f|F|field|raw-field|input)$/.test(name))
}

const methodIn = (text: readonly string[]): string | undefined => {
  const methods = text.flatMap((word, at) => {
    if (word === '-X' || word === '--method') return [text[at + 1] ?? '']
    if (word.startsWith('-X')) return [word.slice(2).replace(/^=/, '')]
    return word.startsWith('--method=') ? [word.slice('--method='.length)] : []
  })
  return methods.length > 1 ? 'several' : methods[0]
}

/** True if a GraphQL request is fully known, and a query. */
function isQuery(text: readonly string[], names: readonly string[]): boolean {
  const fields = text.filter((word) => /^(--(raw-)?field=|-[fF])?query=/.test(word))
  const queries = fields.map((word) => word.replace(/^.*?query=/, ''))
  return (
    !names.includes('input') &&
    queries.length === 1 &&
    queries.every((query) => /^\s*(query\b|\{)/.test(query)) &&
    !text.some((word) => /\b(mutation|subscription)\b/i.test(word) || /=@/.test(word))
  )
}

/** GitHub's own command line. Downloads are let through: they are what the page of the same name would give. */
export const gh: Judge = (call: Call) => {
  const words = call.args.map((word) => word.value)
  const first = words.findIndex(
    (word, at) => !word.startsWith('-') && !/^(-R|--repo|--hostname)$/.test(words[at - 1] ?? ''),
  )
  return words[first] === 'api' ? api(call) : matchesTable(call, table)
}

/** Auth0's. Its `api` takes the method as an operand. */
export const auth0: Judge = (call) => {
  const words = call.args.map((word) => word.value)
  const at = words.indexOf('api')
  if (at === -1 || !words.slice(0, at).every((word, index) => word.startsWith('-') || words[index - 1] === '--tenant'))
    return matchesTable(call, auth0Table)
  const { names, unknown } = optionsOf(call.args, ['tenant', 'q', 'query', 'd', 'data'], {})
  const method = words.slice(at + 1).find((word) => !word.startsWith('-')) ?? ''
  return !unknown && !/^(post|put|patch|delete)$/i.test(method) && !names.includes('d') && !names.includes('data')
}

const auth0Table = tableOf(
  prepareLines,
  `
apps,apis,roles,rules,orgs,organizations,actions,users,logs,domains,quickstarts,tenants,connections,clients,forms,flows list,ls,show,search,get
logs tail,list
logs streams list,ls,show
actions diff
actions versions,triggers,modules list,ls,show,get
apis scopes list,ls
users roles,blocks list,ls,show
users search,search-by-email
roles permissions list,ls
orgs,organizations members,roles,invitations,connections list,ls,show
orgs,organizations roles members list,ls
quickstarts list,ls
email templates,provider show,list,ls
domains default show
branding show
branding domains,templates,texts,emails show,list,ls
universal-login show
universal-login templates,prompts show,list,ls
protection bot-detection,breached-password-detection,bpd,brute-force-protection,bfp,suspicious-ip-throttling,sit show,ls,list
protection suspicious-ip-throttling,sit ips check
attack-protection * show
tenant-settings show
network-acl,network-acls,event-streams,phone,custom-domains,token-exchange list,ls,show
phone provider list,ls,show
event-streams stats,deliveries
apps session-transfer show,list
completion,help,version
`,
  'tenant',
  'debug no-color no-input json csv',
)
