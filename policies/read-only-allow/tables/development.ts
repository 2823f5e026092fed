import type { Table } from '../call.ts'

/** Compilers, checkers and formatters: what they say without changing a file. */
export const development: Readonly<Record<string, Table>> = {
  black: { lines: '\n+check,diff,version !o\n' },
  isort: { lines: '\n+check,check-only,c,diff,d,version,show-config,show-files !o !overwrite-in-place\n' },
  ruff: {
    valued: 'config',
    flags: 'q quiet v verbose s silent isolated',
    lines: `
check,lint !fix !fix-only !unsafe-fixes !add-noqa !w !watch !o !output-file
rule,version,help,linter,config
`,
  },
  mypy: {
    lines:
      '\n!install-types !junit-xml !html-report !txt-report !xml-report !xslt-html-report !any-exprs-report !cobertura-xml-report !linecount-report !linecoverage-report !lineprecision-report !python-executable !config-file >-1\n',
  },
  pyright: { lines: '\n!createstub !w !watch >-1\n' },
  basedpyright: { lines: '\n!createstub !w !watch >-1\n' },
  flake8: { lines: '\n!output-file !tee !install-hook >-1\n' },
  pylint: { lines: '\n!init-hook !load-plugins !output !rcfile !generate-toml-config >-1\n' },
  pyflakes: { lines: '\n>-1\n' },
  pycodestyle: { lines: '\n>-1\n' },
  pydocstyle: { lines: '\n>-1\n' },
  bandit: { lines: '\n!o !output >-1\n' },
  vulture: { lines: '\n>-1\n' },
  radon: { lines: '\n!O !output_file >-1\n' },
  'pre-commit': { lines: '\nvalidate-config,validate-manifest,help\n+version ~version\n' },
  shellcheck: { lines: '\n>-1\n' },
  hadolint: { lines: '\n>-1\n' },
  yamllint: { lines: '\n>-1\n' },
  actionlint: { lines: '\n>-1\n' },
  shfmt: { lines: '\n!w !write >-1\n' },
  prettier: {
    lines:
      '\n+c,check,l,list-different,version,find-config-path,file-info,support-info !w !write\n>0 !w !write !plugin !config !cache !cache-location\n',
  },
  oxlint: { lines: '\n!fix !fix-suggestions !fix-dangerously !init !lsp >-1\n' },
  markdownlint: { lines: '\n!f !fix !o !output !r !rules !p !enable-plugins >0\n' },
  'clang-format': { oneDash: true, lines: '\n!i !inplace !load >0\n' },
  luac: { lines: '\n+p ~p >0\n+v ~v <0\n' },
  lua: { lines: '\n+v ~v <0\n' },
  zig: { lines: '\nversion,env,targets,zen,help <0 ~\nfmt +check ~check ~ast-check ~exclude =exclude\nast-check\n' },
  flutter: {
    lines: '\ndoctor,devices,emulators !launch !create !android-licenses\npub deps,outdated\n+version ~version <0\n',
  },
  dart: { lines: '\npub deps,outdated\nanalyze,info !write\n+version ~version <0\n' },
  just: {
    lines:
      '\n+l,list,summary,show,s,dump ~l ~list ~summary ~show ~s ~dump ~unsorted ~u ~f ~justfile ~d ~working-directory ~dump-format <0 =show =s =f =justfile =d =working-directory =dump-format\n',
  },
  biome: { lines: '\ncheck,lint,format,ci !write !fix !apply !apply-unsafe !suppress\nversion,explain,rage\n' },
  rustfmt: { lines: '\n+check,version,V ~check ~edition ~config-path ~version ~V =edition =config-path\n' },
  rustc: { lines: '\n+version,V,explain,print ~version ~V ~verbose ~vV ~v ~explain ~print =print =explain\n' },
  goimports: { oneDash: true, lines: '\n+l,d ~l ~d ~e ~v ~local =local\n' },
  staticcheck: { oneDash: true, lines: '\n>-1\n' },
  errcheck: { oneDash: true, lines: '\n>-1\n' },
  ineffassign: { lines: '\n!fix >-1\n' },
  govulncheck: { oneDash: true, lines: '\n>-1\n' },
  'golangci-lint': {
    valued: 'c config timeout E enable D disable concurrency j build-tags new-from-rev max-issues-per-linter',
    flags: 'v verbose fast new tests',
    lines: '\nrun ~\nlinters,formatters,version,help\nconfig path,verify\ncache status\n',
  },
  gopls: {
    lines:
      '\nversion,check,symbols,definition,references,implementation,workspace_symbol,stats,signature,highlight !w !write\n',
  },
  ruby: { lines: '\n+version,v,copyright ~version ~v ~copyright <0\n+c ~c ~w >0\n' },
  php: {
    lines:
      '\n+version,v,m,ini,modules ~version ~v ~m ~modules ~ini <0\n+l,syntax-check ~l ~syntax-check <1\n+rf,rc,re,ri ~ =rf =rc =re =ri\n',
  },
  perl: { lines: '\n+version,v,V ~version ~v ~V <0\n' },
  gofmt: { oneDash: true, lines: '\n!w !cpuprofile >-1\n' },
  tsc: {
    valued: 'p project',
    lines:
      '\n+noEmit ~noEmit ~pretty ~skipLibCheck ~strict\n+listFilesOnly,showConfig,version,v,help,h,all ~listFilesOnly ~showConfig ~version ~v ~help ~h ~all\n',
  },
  node: { lines: '\n+version,v,help,h ~version ~v ~help ~h <0\n+c,check ~c ~check\n' },
  python: { lines: '\n+version,V,help,h ~version ~V ~VV ~help ~h <0\n' },
  make: { lines: '\n+version,v ~version ~v <0\n' },
  cmake: {
    lines: '\n+version,help,system-information ~version ~help ~system-information <0\n+N ~N ~L ~A ~H\n',
  },
  ctest: { lines: '\n+N,show-only ~N ~show-only\n' },
  gcc: {
    oneDash: true,
    lines:
      '\n+version,v,dumpversion,dumpmachine,print-search-dirs ~version ~v ~dumpversion ~dumpmachine ~print-search-dirs <0\n',
  },
  java: { oneDash: true, lines: '\n+version,help,showversion ~version ~help <0\n' },
  javac: { oneDash: true, lines: '\n+version ~version <0\n' },
  kotlinc: { oneDash: true, lines: '\n+version ~version <0\n' },
  scala: { oneDash: true, lines: '\n+version ~version <0\n' },
  ffmpeg: {
    oneDash: true,
    lines:
      '\n+version,formats,codecs,encoders,decoders,filters ~version ~formats ~codecs ~encoders ~decoders ~filters ~hide_banner <0\n',
  },
  ffprobe: {
    oneDash: true,
    lines:
      '\n~ ~hide_banner ~show_format ~show_streams ~show_chapters ~count_frames ~pretty ~version =v =loglevel =show_entries =of =print_format =output_format =select_streams =i\n',
  },
  xmllint: {
    oneDash: true,
    lines:
      '\n~ ~noout ~format ~html ~recover ~nonet ~nowarning ~noblanks ~huge ~c14n ~nsclean ~version =xpath =pretty =encode =schema =relaxng\n',
  },
  exiftool: { oneDash: true, lines: '\n~ ~a ~G ~G1 ~s ~S ~s3 ~j ~json ~n ~u ~ver @= >-1\n' },
  javap: { oneDash: true, lines: '\n!J >0\n' },
  jps: { lines: '\n>-1\n' },
  protoc: { lines: '\n+version,h,help ~version ~h ~help <0\n' },
  tmux: {
    lines:
      '\nls,list-sessions,list-windows,lsw,list-panes,lsp,list-clients,lsc,list-keys,list-commands,has-session !F !f\n',
  },
  screen: { oneDash: true, lines: '\n+ls,list ~ls ~list\n' },
  code: { lines: '\n+list-extensions,version,v,status ~list-extensions ~show-versions ~version ~v ~status\n' },
  gpg: {
    lines:
      '\n+list-keys,k,list-public-keys,list-secret-keys,K,list-sigs,check-sigs,fingerprint,list-packets,verify,version,list-config ~list-keys ~k ~list-public-keys ~K ~list-secret-keys ~list-sigs ~check-sigs ~fingerprint ~list-packets ~verify ~version ~list-config ~keyid-format ~with-colons ~with-subkey-fingerprint ~with-fingerprint =keyid-format\n',
  },
  'ssh-keygen': { lines: '\n+l,F ~l ~F ~v ~E =f =E =F\n' },
  'ssh-add': { lines: '\n+l,L ~l ~L\n' },
  ollama: { lines: '\nlist,ls,ps,show\n' },
  'redis-cli': {
    valued: 'h p n a u user s',
    flags: 'raw no-raw json csv no-auth-warning tls',
    lines: `
ping,info,dbsize,time,lastsave,role,PING,INFO,DBSIZE,TIME,LASTSAVE,ROLE ~
get,mget,strlen,getrange,keys,scan,exists,type,ttl,pttl,hget,hgetall,hkeys,hvals,hlen,hmget,hexists,hscan,llen,lrange,lindex ~
scard,smembers,sismember,sscan,zcard,zrange,zscore,zcount,zrank,zscan,xlen,xrange,xinfo,bitcount,getbit,pfcount ~
GET,MGET,STRLEN,GETRANGE,KEYS,SCAN,EXISTS,TYPE,TTL,PTTL,HGET,HGETALL,HKEYS,HVALS,HLEN,HMGET,HEXISTS,HSCAN,LLEN,LRANGE,LINDEX ~
SCARD,SMEMBERS,SISMEMBER,SSCAN,ZCARD,ZRANGE,ZSCORE,ZCOUNT,ZRANK,ZSCAN,XLEN,XRANGE,XINFO,BITCOUNT,GETBIT,PFCOUNT ~
cluster info,nodes,slots,shards ~
client list,info ~
memory usage,stats,doctor ~
slowlog get,len ~
object encoding,freq,idletime,refcount ~
command count,info,docs ~
<0 +scan ~scan ~count =pattern =count =type
`,
  },
  mysqladmin: {
    valued: 'h P u host port user',
    lines: '\nstatus,processlist,ping,version,variables,extended-status <0\n',
  },
  simctl: { lines: '\nlist\n' },
  systemctl: {
    valued: 't type state p property n lines o output root',
    flags: 'user system no-pager a all l full q quiet failed no-legend plain r recursive reverse',
    refused: 'H host M machine root image force now',
    lines: `
status,list-units,list-unit-files,list-timers,list-sockets,list-dependencies,list-jobs,list-machines,list-paths,list-automounts,is-active,is-enabled,is-failed,is-system-running,show,cat,help,get-default
<0 ~
`,
  },
  supervisorctl: { lines: '\nstatus,version,avail,pid\n' },
  pm2: { lines: '\nlist,ls,l,status,show,describe,info,logs,jlist,prettylist,id,pid\n' },
  service: { lines: '\n* status <0\n+status-all ~status-all\n' },
  auditctl: { lines: '\n+l,s ~l ~s\n' },
  diffstat: { lines: '\n!o >-1\n' },
  patch: { lines: '\n+dry-run !o !output !r\n' },
  tshark: { lines: '\n+D ~D\n' },
  adb: { valued: 's', lines: '\ndevices,version,get-state,get-serialno\n' },
  dot: { lines: '\n+V,version ~V ~version\n' },
}
