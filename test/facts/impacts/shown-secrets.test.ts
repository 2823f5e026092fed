import { describe, expect, it } from 'vitest'
import { impactsOfTool } from '../../../src/facts/impacts/mcp/read-tool.ts'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import type { Impact } from '../../../src/model/impact.ts'
import { impactReason } from '../../../src/words/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** A command, or a tool of a server with its input. */
type Way = string | readonly [tool: string, input: object]

const impactsOf = (way: Way): readonly Impact[] =>
  typeof way === 'string' ? impactsIn(factsOf(way)) : impactsOfTool({ name: way[0], input: way[1] })

const shownBy = (way: Way) =>
  impactsOf(way)
    .filter(({ kind, thing }) => kind === 'show' && thing === 'secret')
    .map(({ object }) => object)

/** Ways to be shown the same: by a program, a request, a client library, a tool of a server. */
const same: readonly (readonly [object: string, ...ways: readonly Way[]])[] = [
  [
    'Vault secret',
    'vault kv get -format=json secret/shop/db',
    'bao kv get -field p secret/shop/db',
    'curl -H "X-Vault-Token: $T" https://vault.shop.example:8200/v1/secret/data/shop/db',
    'http https://vault.shop.example/v1/kv/shop/db X-Vault-Token:$T',
    `python3 -c "import hvac; c = hvac.Client(); r = c.secrets.kv.v2.read_secret_version(path='shop/db'); print(r['data'])"`,
    ['mcp__vault__read_secret', { mount: 'secret', path: 'shop/db' }],
    ['mcp__hashicorp-vault__kv_get', { path: 'shop/db' }],
    ['mcp__py__run_code', { code: "s = c.secrets.kv.v2.read_secret_version(path='shop/db')\nprint(s)" }],
  ],
  [
    'AWS secret',
    'aws --region eu-west-1 secretsmanager get-secret-value --secret-id shop/db',
    'aws ssm get-parameter --name /shop/db --with-decryption',
    `curl -H 'X-Amz-Target: secretsmanager.GetSecretValue' -d '{"SecretId":"shop/db"}' https://secretsmanager.eu-west-1.amazonaws.com/`,
    `python3 -c "import boto3; print(boto3.client('secretsmanager').get_secret_value(SecretId='shop/db')['SecretString'])"`,
    `node -e "const { GetSecretValueCommand } = require('@aws-sdk/client-secrets-manager'); c.send(new GetSecretValueCommand({ SecretId: 'shop/db' })).then((r) => console.log(r.SecretString))"`,
    `ruby -e "puts Aws::SecretsManager::Client.new.get_secret_value(secret_id: 'shop/db').secret_string"`,
    ['mcp__aws__get_secret_value', { SecretId: 'shop/db' }],
  ],
  [
    'Google Cloud secret',
    'gcloud secrets versions access latest --secret db --project shop',
    'curl -H "Authorization: Bearer $T" https://secretmanager.googleapis.com/v1/projects/shop/secrets/db/versions/latest:access',
    `python3 -c "from google.cloud import secretmanager; r = secretmanager.SecretManagerServiceClient().access_secret_version(name='projects/shop/secrets/db/versions/1'); print(r.payload.data)"`,
    ['mcp__gcp__access_secret', { name: 'db' }],
  ],
  [
    'Azure secret',
    'az keyvault secret show --vault-name shop --name db --query value -o tsv',
    'curl -H "Authorization: Bearer $T" "https://shop.vault.azure.net/secrets/db?api-version=7.4"',
    `python3 -c "from azure.keyvault.secrets import SecretClient; print(SecretClient(u, c).get_secret('db').value)"`,
    ['mcp__azure__keyvault_secret_get', { vault: 'shop', secret: 'db' }],
  ],
  [
    'Kubernetes secret',
    'kubectl -n shop get secret db -o jsonpath={.data.password}',
    'oc get secrets/db -o yaml',
    'curl -k -H "Authorization: Bearer $T" https://10.0.0.1:6443/api/v1/namespaces/shop/secrets/db',
    `python3 -c "from kubernetes import client; print(client.CoreV1Api().read_namespaced_secret('db', 'shop').data)"`,
    ['mcp__k8s__kubectl_get', { resourceType: 'secret', name: 'db', namespace: 'shop', output: 'yaml' }],
  ],
  [
    'secret variable',
    'echo "$STRIPE_API_KEY"',
    'printenv STRIPE_API_KEY',
    `node -p process.env.STRIPE_API_KEY`,
    ['mcp__ide__executeCode', { code: "print(os.environ['STRIPE_API_KEY'])" }],
  ],
]

describe.each(same)('a shown %s', (object, ...ways) => {
  it.each(ways.map((way) => [JSON.stringify(way), way] as const))('is the same impact by %s', (_, way) => {
    expect(shownBy(way)).toEqual([object])
    for (const impact of impactsOf(way)) expect(impactReason(impact)).toMatch(/ shows .+: (?:have|use) /)
  })
})

const neighbours: readonly Way[] = [
  'vault kv list secret/shop',
  'vault kv get --help',
  'aws secretsmanager list-secrets',
  'aws ssm get-parameter --name /shop/db',
  'kubectl get secrets -A',
  'curl https://vault.shop.example/v1/secret/metadata/shop?list=true',
  'curl https://vault.shop.example/v1/sys/health',
  'curl https://api.github.com/repos/acme/shop/actions/secrets/DB',
  `curl -d '{"a":1}' https://vault.shop.example/v1/secret/data/shop/db`,
  `python3 -c "import boto3; s = boto3.client('secretsmanager').get_secret_value(SecretId='db'); connect(s['SecretString'])"`,
  `python3 -c "import boto3; s = boto3.client('secretsmanager').get_secret_value(SecretId='db'); connect(s); print('done')"`,
  'echo "$SHELL"',
  ['mcp__vault__list_secrets', { path: 'shop' }],
  ['mcp__aws__describe_secret', { SecretId: 'shop/db' }],
  ['mcp__github__get_secret_scanning_alert', { number: 3 }],
  ['mcp__github__create_or_update_secret', { name: 'DB' }],
  ['mcp__k8s__kubectl_get', { resourceType: 'secrets' }],
  ['mcp__llm__count_tokens', { text: 'secret' }],
  ['mcp__docs__search', { query: 'get secret value' }],
]

it.each(neighbours.map((way) => [JSON.stringify(way), way] as const))('no secret is shown by %s', (_, way) => {
  expect(shownBy(way)).toEqual([])
})

const searches = (command: string) =>
  impactsIn(factsOf(command)).filter(({ area }) => area === 'secret-searches').length

it.each([
  "rg 'ghp_[A-Za-z0-9]+' /home/u",
  "egrep -ri 'api_key' /etc",
  'find ~ -name "*.yml" | xargs grep -i password',
  "git log -p --all | ugrep 'BEGIN RSA PRIVATE'",
  'noseyparker scan ~',
  'sudo python3 /opt/LaZagne.py all',
  "grep -r '.*' /root",
])('a search for keys far beyond the project is an impact: %s', (command) => {
  expect(searches(command)).toBe(1)
})

it.each([
  "rg 'ghp_[A-Za-z0-9]+' src",
  'rg --files /home/u',
  "egrep -ri 'colour' /etc",
  'git log --oneline --all | grep -i password',
  'noseyparker scan .',
  'cat docs/lazagne.md',
])('a search in the project, or for something else, is none: %s', (command) => {
  expect(searches(command)).toBe(0)
})

it.each([
  ['echo $A', 'words'],
  ['printf %s $A', 'words'],
  ['tac a.txt', 'lines'],
  ['zcat a.gz', 'unpacked'],
  ['rev a.txt', 'unpacked'],
  ['hexdump -C a.txt', 'form'],
  ['fgrep x a.txt', 'matches'],
  ['jaq .a a.json', 'parts'],
  ['nawk 1 a.txt', 'parts'],
  ['php a.php', 'parts'],
  ['rm a.txt', undefined],
  ['no-such-program a.txt', undefined],
])('what is put out of what a program is given: %s', (command, output) => {
  expect(factsOf(command).commands[0]?.output).toBe(output)
})
