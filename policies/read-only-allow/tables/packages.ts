import type { Table } from '../call.ts'

const npmReads = `
ls,list,la,ll,view,info,show,v,outdated,search,s,se,find,help,help-search,bin,root,prefix,ping,whoami,stars,explain,why,fund,diff,query,sbom
audit <0 !fix
audit signatures
config,c list,ls,get
get
pack
access list,get,ls-packages,ls-collaborators
access get status
org,team,token,profile,dist-tag,dist-tags,owner,author ls,list,get
cache ls
version <0
pkg get
run,run-script <0 ~ ~list ~json ~silent
+v,version <0 ~v ~version
`

const pipReads = `
list,show,freeze,check,search,hash,inspect,help,debug,completion,version
index versions
cache dir,info,list
config list,get,debug
`

export const packages: Readonly<Record<string, Table>> = {
  npm: {
    valued: 'prefix C workspace w loglevel registry',
    flags: 's silent g global',
    refused: 'userconfig globalconfig script-shell node-options',
    lines: npmReads,
  },
  yarn: {
    valued: 'cwd',
    flags: 's silent',
    lines: `
list,info,why,outdated,audit,bin,versions,help
licenses <0
licenses list,ls
config list,get
config <0 ~
workspaces list,info
cache list,dir
global list,dir,bin
owner,tag,team list
npm info,audit,whoami
npm tag list
plugin list,runtime
explain
+v,version <0 ~v ~version
`,
  },
  pnpm: {
    valued: 'C dir filter F',
    flags: 'r recursive s silent w workspace-root g global',
    lines: `
list,ls,la,ll,why,outdated,audit,root,bin,licenses,help !fix
licenses list,ls
config list,get
view,info,show,search,whoami,ping,cat-file,cat-index,find-hash
store path,status
cache list,list-registries,view
+v,version <0 ~v ~version
`,
  },
  bun: {
    lines:
      '\npm ls,bin,hash\npm cache <0 ~\noutdated,why,audit,info\npm view,whoami,why,untrusted\n+v,revision ~v ~revision <0\n',
  },
  deno: {
    valued: 'config c import-map lock',
    flags: 'q quiet',
    refused: 'lock-write',
    lines: `
version,types,help,completions,info
doc !html !output !name
lint !fix !rules-plugins !compact
fmt +check
outdated !u !update !i !interactive
task <0 ~ ~quiet
`,
  },
  npx: { lines: '\n+version ~version\n' },
  uvx: { lines: '\n+version,V ~version ~V <0\n' },
  nvm: { lines: '\nls,list,ls-remote,current,which,version,version-remote\n' },
  fnm: { lines: '\nlist,ls,list-remote,ls-remote,current\n' },
  volta: { lines: '\nlist,ls,which\n' },
  corepack: { lines: '\n+version ~version\n' },
  pip: {
    valued: 'python log proxy cache-dir',
    flags: 'q quiet v verbose no-color isolated require-virtualenv disable-pip-version-check no-input',
    refused: 'log',
    lines: pipReads,
  },
  pipx: { lines: '\nlist,environment\ninterpreter list\n' },
  uv: {
    valued: 'directory project color config-file cache-dir',
    flags: 'q quiet v verbose no-config offline no-progress no-cache n native-tls',
    lines: `
tree,help
export !o !output-file
sync,lock,venv !script
version <0
pip list,show,freeze,check,tree
python list,find,dir
tool list
cache dir
`,
  },
  poetry: {
    valued: 'C directory P project',
    flags: 'n no-interaction q v no-ansi',
    lines: `
show,check,search,about,list,help
env info,list
cache list
config +list
version <0
source show
debug info,resolve
self show
`,
  },
  pdm: { lines: '\nlist,show,info,search,outdated\nconfig <1\n' },
  hatch: { lines: '\nversion <0\nenv,dep,config,python show,find\nstatus\n' },
  rye: { lines: '\nlist,show,version\ntoolchain list\n' },
  pipenv: { lines: '\ngraph,verify\n+venv,where,py ~venv ~where ~py\n' },
  pyenv: {
    lines:
      '\nversions,version,which,whence,root,commands,prefix,help,shims,completions,latest\nlocal,global <0\ninstall +l,list\n',
  },
  conda: {
    lines:
      '\nlist,info,search\nenv list,export !f !file\nconfig +show,show-sources,get,describe !set !add !append !prepend !remove !remove-key\npackage +which\ncompare\n',
  },
  mamba: { lines: '\nlist,info,search\nenv list\nrepoquery\n' },
  cargo: {
    valued: 'Z color C manifest-path',
    flags: 'q quiet v verbose locked offline frozen',
    refused: 'config fix',
    lines: `
info,metadata,verify-project,check,c,clippy,fetch,tree,fmt,doc,vendor,search,help,version,pkgid,locate-project,read-manifest,update
owner +l,list !a !add !r !remove
owner <0 ~
outdated,machete !fix
audit <0 !file
deny check,list
<0 +list ~list ~verbose
`,
  },
  rbenv: {
    lines:
      '\nversions,version,which,whence,root,commands,prefix,help,shims\nlocal,global <0\ninstall +l,L,list,list-all\n',
  },
  nodenv: { lines: '\nversions,version,which,whence,root,commands,prefix,help,shims\nlocal,global <0\n' },
  rustup: {
    lines: '\nshow,check,which,completions,help\ntoolchain,target,component,override list\nshow *\ndoc +path\n',
  },
  go: {
    oneDash: true,
    valued: 'C',
    refused: 'toolexec exec modfile overlay vettool',
    lines: `
version,list,doc,help,vet
env !w !u
mod graph,verify,why,download
work edit +json,print
tool <0
tool nm,objdump,dist !o
tool cover +func,h !o !mode !html
build,install,clean +n @=
telemetry <0
`,
  },
  gem: {
    lines:
      '\nlist,search,info,specification,spec,dependency,environment,env,contents,which,outdated,query,check,help,stale\nsources +l,list ~l ~list\nsources <0 ~\n',
  },
  bundle: {
    lines: '\nlist,ls,show,info,outdated,check,platform,env,licenses,doctor,help,version\nconfig list,get\nconfig <0\n',
  },
  composer: {
    lines:
      '\nshow,info,outdated,search,licenses,validate,diagnose,depends,why,prohibits,why-not,fund,status,audit,about,check-platform-reqs,suggests,list,help\nglobal show,outdated,licenses\nconfig +l,list\n',
  },
  mvn: {
    oneDash: true,
    valued: 'pl projects f file P rf',
    flags: 'q quiet B batch-mode ntp no-transfer-progress o offline am also-make U e',
    lines:
      '\n+v,version ~v ~version <0\ndependency:tree,dependency:list,dependency:analyze,help:effective-pom,help:describe,help:active-profiles,versions:display-dependency-updates <0 !DoutputFile\n',
  },
  gradle: {
    lines: '\ntasks,dependencies,projects,properties,help,dependencyInsight <0 !I !init-script !b !c !write-locks\n',
  },
  dotnet: {
    lines:
      '\nlist,--info,--list-sdks,--list-runtimes,--version\nsln list\nsln * list\nformat +verify-no-changes !report !binarylog\nnuget list\nsdk check\ntool list\nworkload list\n+info,list-sdks,list-runtimes,version ~info ~list-sdks ~list-runtimes ~version\n',
  },
  mix: { lines: '\nhelp,hex.info,hex.outdated,deps.tree,app.tree\ndeps <0 ~\nformat +check-formatted\n' },
  rebar3: { lines: '\ntree,deps,version\n' },
  cabal: { lines: '\nlist,info,path\n' },
  stack: { lines: '\npath,ls\n' },
  opam: { lines: '\nlist,show,search,info\nswitch list,show\n' },
  swift: { lines: '\npackage describe,dump-package,show-dependencies\n+version ~version\n' },
  pod: { lines: '\nlist,search,outdated\nenv\n' },
  asdf: { lines: '\nlist,current,which,where,latest,info,help\nplugin list\n' },
  mise: { lines: '\nls,list,current,which,where,latest,ls-remote,doctor,version,outdated\n' },
  choco: { lines: '\nlist,search,info,outdated\n' },
  winget: { lines: '\nlist,search,show\n' },
  scoop: { lines: '\nlist,search,info,status\n' },
}

/** Programs that are called by several names. */
export const packageAliases: Readonly<Record<string, string>> = {
  pip3: 'pip',
  bundler: 'bundle',
  micromamba: 'mamba',
  fly: 'flyctl',
  sls: 'serverless',
}
