import type { Family } from '../program.ts'

/** Infrastructure as code, and the clients of hosts and clouds. */
export const infrastructure: Family = {
  programs: {
    'terraform tofu': {
      looks: {
        oneDash: true,
        options: '+no-color +chdir',
        never: '--out|--generate-config-out|--junit-xml|--state-out|--backup|--or-create',
        lines: `
      plan|show|version|validate|graph|console|fmt|modules|test|help
      output !--json|--raw
      providers ..0
      providers schema|lock
      metadata functions
      state list|show
      workspace list|show|select`,
      },
    },
    terragrunt: {
      looks: {
        oneDash: true,
        options: '+no-color +chdir',
        never: '--out|--generate-config-out|--junit-xml|--state-out|--backup|--or-create',
        lines: `
      plan|show|version|validate|graph|output|providers|hclfmt|find|list|graph-dependencies|validate-inputs
      state list|show
      run-all plan|validate|output
      info print`,
      },
    },
    tflint: { looks: '!--fix|--init' },
    tfsec: { looks: '!-O|--out|-o' },
    packer: {
      looks: { oneDash: true, lines: 'validate|inspect|version|fmt|help|console; plugins installed|required' },
    },
    pulumi: {
      looks: {
        options: 'C cwd s stack color +non-interactive',
        lines: `
      preview|whoami|version|about|logs
      stack ..0
      stack ls|output|history !--show-secrets
      config ..0
      plugin ls`,
      },
    },
    cdk: {
      looks: {
        options:
          'a app c context p plugin profile o output r role-arn toolkit-stack-name ca-bundle-path +v +verbose +debug +json +j +no-color +ec2creds +trace +strict +lookups +notices +no-notices +no-lookups',
        lines: `
      diff|synth|synthesize|list|ls|metadata|version|doctor|notices|docs
      context !--reset|--clear|-e`,
      },
    },
    cdktf: { looks: 'diff|plan|list|synth|output|debug' },
    'serverless sls': { looks: 'info|print; list|plugin list' },
    sam: { looks: 'validate|list; logs !-o' },
    'cfn-lint': { looks: '!--update-specs|-u|-o' },
    ansible: { looks: '--list-hosts|--version' },
    'ansible-playbook': { looks: '--list-hosts|--list-tasks|--list-tags|--syntax-check; -C|--check' },
    'ansible-console': { looks: '--list-hosts' },
    'ansible-vault': { looks: 'view' },
    'ansible-galaxy': { looks: 'list|info|search; role list|info|search; collection list|verify' },
    'ansible-inventory': { looks: '--list|--graph|--host !--output' },
    'ansible-doc': { looks: true },
    'ansible-config': { looks: 'dump|list|view|validate' },
    'ansible-lint': { looks: '!--fix|--write|--generate-ignore|--sarif-file' },
    'ansible-test': { looks: 'sanity' },
    molecule: { looks: 'list|matrix|status' },
    vagrant: { looks: 'status|global-status|port|ssh-config|version|validate; box|plugin|snapshot list' },
    prometheus: { looks: '--version|--help|--help-long|--help-man|-h []' },
    promtool: { looks: 'check config|rules|metrics|healthy|ready|web-config; query *; tsdb list|analyze|dump' },
    amtool: { looks: 'alert|silence query; config show; check-config' },
    logcli: { looks: 'query|labels|series|stats|volume|instant-query !--part-path-prefix|--addr' },
    vault: {
      looks: {
        oneDash: true,
        options: 'namespace ns format mount header ca-cert ca-path tls-server-name',
        never: '--address|--agent-address|--output-curl-string|--output-policy|--field',
        lines: `
      status|version|path-help|list
      kv list
      kv metadata get
      auth|secrets|policy|audit|plugin|namespace list
      policy read
      operator members
      operator raft list-peers`,
      },
    },
    consul: {
      looks: {
        oneDash: true,
        never: '--http-addr|--token',
        lines: 'members|info|version; catalog *; operator raft list-peers',
      },
    },
    nomad: {
      looks: {
        oneDash: true,
        options: 'namespace region',
        never: '--address|--token',
        lines: `
      status|version
      server members
      job|node|alloc|deployment|eval status
      job history|inspect|plan
      alloc logs
      namespace|volume|plugin list|status
      operator raft list-peers`,
      },
    },
    stripe: { looks: 'version' },
    heroku: {
      looks: `
    apps|ps|releases|addons|domains|status|version ..0
    apps:info|ps|releases|releases:info|addons|addons:info|domains|logs|status|regions`,
    },
    vercel: { looks: 'ls|list|inspect|whoami|logs; env|domains|dns|certs|project|projects|alias|teams ls|list' },
    railway: { looks: 'status|logs|list|whoami|version' },
    supabase: { looks: 'projects|functions|branches|orgs list' },
    netlify: { looks: 'status; sites:list' },
    'flyctl fly': { looks: 'status|logs|version|info; apps|machine|machines|volumes|regions list' },
    doctl: {
      looks: `
    compute|kubernetes|k8s|k|monitoring|registry|serverless|vpcs|vpc * list|get
    apps|projects|vpcs|invoice|balance|billing-history list|get
    account get`,
    },
    wrangler: { looks: 'whoami|version|tail; * list; kv|r2|d1|queues|dispatch-namespace namespace|bucket list' },
    hcloud: { looks: '* list|describe; version' },
    eb: { looks: 'status|list|health|events' },
    firebase: { looks: 'projects:list|apps:list|functions:list|functions:log|hosting:sites:list|use ..0' },
    gsutil: {
      looks: {
        options: '+q +m +D',
        lines: `
      ls|cat|du|stat|hash|version|help
      acl|iam|lifecycle|versioning|cors|logging|web|label|notification get|list`,
      },
    },
    bq: {
      looks: {
        options: 'project_id dataset_id location format max_results +q +quiet +headless',
        never: '--apilog|--flagfile|--bigqueryrc',
        lines: 'ls|show|head|version|help; query --dry_run !=',
      },
    },
    trivy: {
      looks: `
    image|fs|filesystem|config|repo|repository|rootfs|sbom !-o|--output|-t|--template|-c|--config|--reset
    version`,
    },
    rclone: {
      looks: {
        options: 'config',
        never: '--password-command|--rc|--log-file',
        lines: 'ls|lsl|lsd|lsf|lsjson|size|listremotes|version|about|tree|check; help',
      },
    },
    restic: {
      looks: { options: 'r repo', never: '--password-command', lines: 'snapshots|stats|ls|find|diff|version' },
    },
    borg: { looks: 'list|info|version' },
  },
}
