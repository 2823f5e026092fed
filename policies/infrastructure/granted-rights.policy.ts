import { abstains, asks, definePolicy, denies } from 'hookgate/policy'
import { allowed, answered } from './cli/example.ts'
import { type Cli, type CliTable, judge, params } from './cli/judge.ts'
import { changingRequests, isOfRights } from './cli/requests.ts'

/** Options that give a container control of its host. */
const wide = [
  '--privileged', '--pid=host', '--userns=host', '--cap-add=all', '--cap-add~sys_admin', '--cap-add~sys_ptrace',
  '--cap-add~sys_module', '--security-opt~unconfined', '--security-opt~label=disable', '--device~/dev/sd',
  '--device~/dev/nvme', '--device~/dev/mem', '--device~/dev/kmem',
].join('|') // prettier-ignore

const docker: Cli = {
  ask: [`run|create|exec ${wide}`, `container run|create|exec ${wide}`],
}
const kubectl: Cli = {
  deny: ['create clusterrolebinding --clusterrole=cluster-admin'],
  ask: [
    'create clusterrolebinding|rolebinding',
    'debug node/*',
    'debug --profile=sysadmin',
    'run --overrides~hostpid|--overrides~privileged|--overrides~hostnetwork|--privileged',
  ],
}
const toEverybody = '--member=allusers|--member=allauthenticatedusers'
const gcp = 'add-iam-policy-binding'
const gcloud: Cli = {
  valued: 'member role condition metadata metadata-from-file key-file',
  deny: [gcp, `* ${gcp}`, `* * ${gcp}`].map((pattern) => `${pattern} ${toEverybody}`),
  ask: [
    gcp,
    `* ${gcp}`,
    `* * ${gcp}`,
    `* * * ${gcp}`,
    'iam roles update',
    'compute os-login ssh-keys add',
    'compute project-info|instances add-metadata --metadata-from-file~ssh-keys|--metadata~ssh-keys',
    '* set-iam-policy',
    '* * set-iam-policy',
  ],
}

const table: CliTable = {
  docker,
  podman: docker,
  nerdctl: docker,
  kubectl,
  k: kubectl,
  oc: { ...kubectl, ask: [...(kubectl.ask ?? []), 'adm policy *'] },
  aws: {
    valued:
      'policy-arn policy-name policy-document user-name role-name group-name cidr protocol group-id ip-permissions acl',
    deny: ['iam attach-user-policy|attach-role-policy|attach-group-policy --policy-arn~administratoraccess'],
    ask: [
      'iam attach-*',
      'ec2 import-key-pair',
      'lightsail import-key-pair',
      'iam put-user-policy|put-role-policy|put-group-policy|add-user-to-group|create-access-key|create-login-profile',
      'iam update-assume-role-policy|create-policy-version|set-default-policy-version|update-login-profile',
      'ec2 authorize-security-group-ingress --cidr=0.0.0.0/0|--ip-permissions~0.0.0.0/0|--cidr=::/0',
      's3api put-bucket-policy|put-public-access-block|delete-public-access-block',
      'lambda add-permission',
      'kms create-grant|put-key-policy',
      'sso-admin create-account-assignment',
    ],
  },
  gcloud,
  gsutil: { ask: ['iam ch', 'acl ch|set', 'defacl ch|set'] },
  az: {
    valued: 'role assignee scope public-key n name g resource-group',
    ask: [
      'role assignment create',
      'ad sp create-for-rbac',
      'ad app credential reset',
      'ad group member add',
      'sshkey create --public-key',
    ],
  },
  gh: {
    valued: 'R X method F f field raw-field H t b',
    ask: [
      'ssh-key|gpg-key add',
      'repo deploy-key add',
      'auth login --with-token',
      'repo create --public|--visibility=public --push|--source|-s',
      ...changingRequests,
    ],
  },
  hcloud: { ask: ['ssh-key create'] },
  doctl: { ask: ['compute ssh-key import|create'] },
  'ssh-import-id': { ask: ['*'] },
  'ssh-copy-id': { ask: ['*'] },
  glab: { ask: ['ssh-key|deploy-key add'] },
}

export default definePolicy({
  id: 'granted-rights',
  severity: 'high',
  description:
    'Asks before containers get rights on the machine, and people or programs get rights on an account or cluster',
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: Object.keys(table) },
  params,
  decide: ({ shell, params: given }) =>
    judge(
      shell,
      table,
      given,
      {
        harm: 'grants rights that reach far beyond this task and remain',
        instead: 'grant only what the task needs, or have the person grant it',
      },
      (line, call) => call.program === 'gh' && line.words[0]?.text === 'api' && !isOfRights(call),
    ),
  examples: [
    asks('docker run --privileged -it alpine'),
    asks('docker run --pid=host --net=host alpine sh'),
    asks('docker run --cap-add SYS_ADMIN alpine'),
    asks('docker run --security-opt seccomp=unconfined alpine'),
    asks('docker run --device /dev/sda alpine'),
    asks('docker exec --privileged web sh'),
    abstains('docker run --rm --cap-add NET_BIND_SERVICE alpine'),
    abstains('docker run --rm -v data:/data --device /dev/video0 alpine ls'),
    abstains('docker exec web sh'),
    denies('kubectl create clusterrolebinding x --clusterrole=cluster-admin --user=y'),
    asks('kubectl create rolebinding x --role=edit --user=y'),
    asks('kubectl debug node/a -it --image=alpine'),
    asks(`kubectl run x --image=alpine --overrides='{"spec":{"hostPID":true}}'`),
    abstains('kubectl debug pod/a -it --image=alpine'),
    abstains('kubectl get clusterrolebindings'),
    denies('aws iam attach-user-policy --user-name x --policy-arn arn:aws:iam::aws:policy/AdministratorAccess'),
    asks('aws iam create-access-key'),
    asks('aws ec2 authorize-security-group-ingress --group-id g --port 22 --cidr 0.0.0.0/0'),
    abstains('aws ec2 authorize-security-group-ingress --group-id g --port 22 --cidr 10.0.0.0/8'),
    abstains('aws iam list-attached-user-policies --user-name x'),
    denies('gcloud projects add-iam-policy-binding p --member=allUsers --role=roles/owner'),
    asks('gcloud projects add-iam-policy-binding p --member=user:a@b.example --role=roles/viewer'),
    abstains('gcloud projects get-iam-policy p'),
    asks('az role assignment create --role Owner --assignee x'),
    abstains('az role assignment list'),
    asks('gh ssh-key add key.pub'),
    asks('gh repo create shop/web --public --source . --push'),
    abstains('gh repo create shop/web --private --source . --push'),
    asks('gh api -X PUT repos/a/b/collaborators/c -f permission=admin'),
    abstains('gh api repos/a/b/collaborators'),
    abstains('gh api -X PATCH repos/a/b/git/refs/heads/main -f sha=c'),
    allowed('docker run --privileged alpine', 'docker run'),
    answered('docker run --privileged alpine', 'deny'),
  ],
})
