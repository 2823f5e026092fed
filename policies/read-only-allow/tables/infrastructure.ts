import type { Table } from '../call.ts'

const terraform: Table = {
  oneDash: true,
  flags: 'no-color chdir',
  refused: 'out generate-config-out junit-xml state-out backup or-create',
  lines: `
plan,show,version,validate,graph,output,console,fmt,modules,test,help
providers <0
providers schema,lock
metadata functions
state list,show
workspace list,show,select
`,
}

const listing = '+list-hosts,list-tasks,list-tags,syntax-check'

/** Infrastructure as code, and what runs over machines. */
export const infrastructure: Readonly<Record<string, Table>> = {
  terraform,
  tofu: terraform,
  terragrunt: {
    ...terraform,
    lines: `\nplan,show,version,validate,graph,output,providers,hclfmt\nstate list,show\n`,
  },
  tflint: { lines: '\n!fix !init\n' },
  tfsec: { lines: '\n!O !out !o\n' },
  packer: {
    oneDash: true,
    lines: `
validate,inspect,version,fmt,help,console
plugins installed,required
`,
  },
  pulumi: {
    valued: 'C cwd s stack color',
    flags: 'non-interactive',
    lines: `
preview,whoami,version,about,logs
stack <0
stack ls,output,history !show-secrets
config <0
plugin ls
`,
  },
  cdk: {
    valued: 'a app c context p plugin profile o output r role-arn toolkit-stack-name ca-bundle-path',
    flags: 'v verbose debug json j no-color ec2creds trace strict lookups notices no-notices no-lookups',
    lines: `
diff,synth,synthesize,list,ls,metadata,version,doctor,notices,docs
context !reset !clear !e
`,
  },
  cdktf: { lines: '\ndiff,plan,list,synth,output,debug\n' },
  serverless: { lines: '\ninfo,print\nlist,plugin list\n' },
  sam: { lines: '\nvalidate,list\nlogs !o\n' },
  'cfn-lint': { lines: '\n!update-specs !u !o\n' },
  ansible: { lines: '\n+list-hosts,version\n' },
  'ansible-playbook': { lines: `\n${listing}\n+C,check\n` },
  'ansible-console': { lines: '\n+list-hosts\n' },
  'ansible-vault': { lines: '\nview\n' },
  'ansible-galaxy': {
    lines: `
list,info,search
role list,info,search
collection list,verify
`,
  },
  'ansible-inventory': { lines: '\n+list,graph,host !output\n' },
  'ansible-doc': { lines: '\n>-1\n' },
  'ansible-config': { lines: '\ndump,list,view,validate\n' },
  'ansible-lint': { lines: '\n!fix !write !generate-ignore !sarif-file\n' },
  'ansible-test': { lines: '\nsanity\n' },
  molecule: { lines: '\nlist,matrix,status\n' },
  vagrant: { lines: '\nstatus,global-status,port,ssh-config,version,validate\nbox,plugin,snapshot list\n' },
  prometheus: { lines: '\n+version,help,help-long,help-man,h ~version ~help ~help-long ~help-man ~h\n' },
  promtool: { lines: '\ncheck config,rules,metrics,healthy,ready,web-config\n' },
  vault: { lines: '\nstatus,version\n' },
  consul: { lines: '\nmembers,info,version\ncatalog *\n' },
  nomad: { lines: '\nstatus,version,server members\njob,node,alloc,deployment,eval status\n' },
  stripe: { lines: '\nversion\n' },
  heroku: {
    lines:
      '\napps,ps,releases,addons,domains,status,version <0\napps:info,ps,releases,releases:info,addons,addons:info,domains,logs,status,regions\n',
  },
  vercel: { lines: '\nls,list,inspect,whoami,logs\n' },
  netlify: { lines: '\nstatus\nsites:list\n' },
  flyctl: { lines: '\nstatus,logs,version,info\napps,machine,machines,volumes,regions list\n' },
  doctl: { lines: '\n* * list,get\naccount get\n' },
  wrangler: { lines: '\nwhoami,version\n* list\n' },
  rclone: {
    valued: 'config',
    refused: 'password-command rc log-file',
    lines: '\nls,lsl,lsd,lsf,lsjson,size,listremotes,version,about,tree,check\nhelp\n',
  },
  restic: { valued: 'r repo', refused: 'password-command', lines: '\nsnapshots,stats,ls,find,diff,version\n' },
  borg: { lines: '\nlist,info,version\n' },
}
