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
    lines: `\nplan,show,version,validate,graph,output,providers,hclfmt,find,list,graph-dependencies,validate-inputs\nstate list,show\nrun-all plan,validate,output\ninfo print\n`,
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
  promtool: { lines: '\ncheck config,rules,metrics,healthy,ready,web-config\nquery *\ntsdb list,analyze,dump\n' },
  amtool: { lines: '\nalert,silence query\nconfig show\ncheck-config\n' },
  logcli: { lines: '\nquery,labels,series,stats,volume,instant-query !part-path-prefix !addr\n' },
  vault: {
    oneDash: true,
    valued: 'namespace ns format mount header ca-cert ca-path tls-server-name',
    refused: 'address agent-address output-curl-string output-policy field',
    lines: `
status,version,path-help,list
kv list
kv metadata get
auth,secrets,policy,audit,plugin,namespace list
policy read
operator members
operator raft list-peers
`,
  },
  consul: {
    oneDash: true,
    refused: 'http-addr token',
    lines: '\nmembers,info,version\ncatalog *\noperator raft list-peers\n',
  },
  nomad: {
    oneDash: true,
    valued: 'namespace region',
    refused: 'address token',
    lines:
      '\nstatus,version\nserver members\njob,node,alloc,deployment,eval status\njob history,inspect,plan\nalloc logs\nnamespace,volume,plugin list,status\noperator raft list-peers\n',
  },
  stripe: { lines: '\nversion\n' },
  heroku: {
    lines:
      '\napps,ps,releases,addons,domains,status,version <0\napps:info,ps,releases,releases:info,addons,addons:info,domains,logs,status,regions\n',
  },
  vercel: { lines: '\nls,list,inspect,whoami,logs\nenv,domains,dns,certs,project,projects,alias,teams ls,list\n' },
  railway: { lines: '\nstatus,logs,list,whoami,version\n' },
  supabase: { lines: '\nprojects,functions,branches,orgs list\n' },
  netlify: { lines: '\nstatus\nsites:list\n' },
  flyctl: { lines: '\nstatus,logs,version,info\napps,machine,machines,volumes,regions list\n' },
  // A database's settings include its credentials.
  doctl: {
    lines:
      '\ncompute,kubernetes,k8s,k,monitoring,registry,serverless,vpcs,vpc * list,get\napps,projects,vpcs,invoice,balance,billing-history list,get\naccount get\n',
  },
  wrangler: { lines: '\nwhoami,version,tail\n* list\nkv,r2,d1,queues,dispatch-namespace namespace,bucket list\n' },
  hcloud: { lines: '\n* list,describe\nversion\n' },
  eb: { lines: '\nstatus,list,health,events\n' },
  firebase: { lines: '\nprojects:list,apps:list,functions:list,functions:log,hosting:sites:list,use <0\n' },
  gsutil: {
    flags: 'q m D',
    lines:
      '\nls,cat,du,stat,hash,version,help\nacl,iam,lifecycle,versioning,cors,logging,web,label,notification get,list\n',
  },
  bq: {
    valued: 'project_id dataset_id location format max_results',
    flags: 'q quiet headless',
    refused: 'apilog flagfile bigqueryrc',
    lines: '\nls,show,head,version,help\nquery +dry_run @=\n',
  },
  trivy: {
    lines:
      '\nimage,fs,filesystem,config,repo,repository,rootfs,sbom !o !output !t !template !c !config !reset\nversion\n',
  },
  rclone: {
    valued: 'config',
    refused: 'password-command rc log-file',
    lines: '\nls,lsl,lsd,lsf,lsjson,size,listremotes,version,about,tree,check\nhelp\n',
  },
  restic: { valued: 'r repo', refused: 'password-command', lines: '\nsnapshots,stats,ls,find,diff,version\n' },
  borg: { lines: '\nlist,info,version\n' },
}
