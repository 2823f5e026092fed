import { afterAll, describe, expect, it } from 'vitest'
import { openPresetGate } from '../../support/shipped-gate.ts'

const gate = openPresetGate('/home/u', 'recommended')
afterAll(() => gate.close())

async function isStopped(command: string): Promise<boolean> {
  const { denied, asked } = await gate.judge(command)
  return denied.length + asked.length > 0
}

/** Commands by what they do to what guards others, written before the rules of their kind were read. */
const stopped: Readonly<Record<string, readonly string[]>> = {
  'opens something to everybody': [
    'gcloud compute firewall-rules create x --allow=all --source-ranges=0.0.0.0/0',
    'gcloud compute firewall-rules update x --source-ranges 0.0.0.0/0',
    'gcloud sql instances patch db --authorized-networks=0.0.0.0/0',
    `az network nsg rule create -g g --nsg-name n -n a --priority 100 --source-address-prefixes '*' --access Allow --destination-port-ranges 22`,
    'az sql server firewall-rule create -g g -s s -n all --start-ip-address 0.0.0.0 --end-ip-address 255.255.255.255',
    'az postgres flexible-server firewall-rule create -g g -n s --start-ip-address 0.0.0.0 --end-ip-address 255.255.255.255',
    'az storage account update -n shop --allow-blob-public-access true',
    'az storage account update -n shop --default-action Allow',
    'az storage container set-permission -n c --public-access blob',
    `az webapp cors add -n w -g g --allowed-origins '*'`,
    'doctl compute firewall add-rules id --inbound-rules "protocol:tcp,ports:22,address:0.0.0.0/0"',
    'doctl databases firewalls append id --rule ip_addr:0.0.0.0/0',
    'hcloud firewall add-rule fw --direction in --source-ips 0.0.0.0/0 --protocol tcp --port 22',
    'openstack security group rule create --remote-ip 0.0.0.0/0 --protocol tcp default',
    'scw instance security-group create-rule security-group-id=x protocol=TCP direction=inbound action=accept ip-range=0.0.0.0/0',
    'aliyun ecs AuthorizeSecurityGroup --SourceCidrIp 0.0.0.0/0 --IpProtocol tcp --PortRange 22/22',
    'ibmcloud is security-group-rule-add x inbound tcp --remote 0.0.0.0/0',
    `linode-cli firewalls rules-update 1 --inbound '[{"addresses":{"ipv4":["0.0.0.0/0"]}}]'`,
    'exo compute security-group rule add sg --network 0.0.0.0/0 --port 22',
    `aws ec2 authorize-security-group-ingress --group-id g --ip-permissions 'IpProtocol=tcp,FromPort=22,ToPort=22,Ipv6Ranges=[{CidrIpv6=::/0}]'`,
    'aws rds modify-db-instance --db-instance-identifier x --publicly-accessible',
    `aws ec2 modify-image-attribute --image-id a --launch-permission 'Add=[{Group=all}]'`,
    'aws ec2 modify-snapshot-attribute --snapshot-id s --attribute createVolumePermission --operation-type add --group-names all',
    'aws s3api put-object-acl --bucket b --key k --acl public-read-write',
    'aws eks update-cluster-config --name c --resources-vpc-config endpointPublicAccess=true,publicAccessCidrs=0.0.0.0/0',
    'atlas accessLists create 0.0.0.0/0',
    'supabase network-restrictions update --db-allow-cidr 0.0.0.0/0 --experimental',
    'gcloud container clusters update c --no-enable-master-authorized-networks',
    'gcloud storage buckets add-iam-policy-binding gs://b --member=allUsers --role=roles/storage.objectViewer',
    'gsutil acl ch -u AllUsers:R gs://b/o',
    'mc anonymous set public local/bucket',
    'b2 update-bucket b allPublic',
    'ufw default allow incoming',
    'netsh advfirewall set allprofiles state off',
    'netsh advfirewall firewall add rule name=x dir=in action=allow protocol=TCP localport=22',
  ],
  'approves what somebody else should': [
    'gh pr review 12 --approve',
    'glab mr approve 12',
    'az repos pr set-vote --id 3 --vote approve',
    'tea pr approve 4',
    'gh api -X POST repos/a/b/pulls/3/reviews -f event=APPROVE',
    'gh auth refresh -s admin:org',
    'gh auth refresh --scopes delete_repo,repo',
    'gh run approve 1',
    'gh api -X POST repos/a/b/actions/runs/3/approve',
    'gh api repos/a/b/actions/runs/3/pending_deployments -f state=approved',
    'kubectl certificate approve csr-1',
  ],
  'changes how this machine reaches others': [
    'resolvectl dns eth0 6.6.6.6',
    'networksetup -setdnsservers Wi-Fi 6.6.6.6',
    'nmcli con mod eth0 ipv4.dns 6.6.6.6',
    'netsh interface ip set dns name=Ethernet static 6.6.6.6',
    'echo nameserver 6.6.6.6 > /etc/resolv.conf',
    `echo '6.6.6.6 github.com' >> /etc/hosts`,
    'networksetup -setwebproxy Wi-Fi 6.6.6.6 8080',
    'ip route add default via 6.6.6.6',
    'route add default 6.6.6.6',
  ],
  'takes a check off what was downloaded': [
    'xattr -d com.apple.quarantine x.app',
    'xattr -cr x.app',
    'defaults write com.apple.LaunchServices LSQuarantine -bool NO',
    'spctl --add x.app',
    'spctl --global-disable',
  ],
  'looks for keys beyond the project, or fills the disk': [
    'gh pr review -a 12',
    'grep -r "BEGIN RSA" ~',
    'grep -rl "PRIVATE KEY" /home',
    'rg -uu "BEGIN OPENSSH" ~',
    'fallocate -l 900G x',
    'dd if=/dev/zero of=x bs=1G count=900',
    'head -c 900G /dev/zero > x',
  ],
}

const everyday: readonly string[] = [
  'aws s3 cp dist/app.js s3://acme-web/app.js --acl public-read',
  'gcloud compute firewall-rules list',
  'gcloud compute firewall-rules describe x',
  'az network nsg rule list -g g --nsg-name n',
  'az storage account show -n shop --query allowBlobPublicAccess',
  'doctl compute firewall list',
  'hcloud firewall describe fw',
  'openstack security group rule list default',
  'aws ec2 describe-security-groups --filters Name=ip-permission.cidr,Values=0.0.0.0/0',
  `rg '0\\.0\\.0\\.0/0' infra`,
  'python3 -m http.server --bind 0.0.0.0 8000',
  'vite --host 0.0.0.0',
  'npx serve -l tcp://0.0.0.0:3000',
  'docker run -p 0.0.0.0:8080:80 web',
  'uvicorn app:app --host 0.0.0.0 --port 8000',
  'resolvectl status',
  'scutil --dns',
  'networksetup -getdnsservers Wi-Fi',
  'nmcli dev show',
  'ip route show',
  'xattr -l x.app',
  'spctl --status',
  'defaults read com.apple.finder',
  `gh pr review 12 --comment -b 'looks fine, one nit'`,
  `gh pr review 12 --request-changes -b 'x'`,
  'gh pr view 12 --json reviews',
  'glab mr view 12',
  'gh auth status',
  'gh run list --limit 5',
  'gh run rerun 123 --failed',
  'kubectl get csr',
  'grep -rn "BEGIN RSA" test/fixtures',
  'rg "PRIVATE KEY" src --files-with-matches',
  'history | tail -20',
  'history 5',
  'fallocate -l 1G swap.img',
  'truncate -s 10M disk.img',
  'dd if=/dev/zero of=test.bin bs=1M count=100',
  'head -c 1M /dev/urandom > blob.bin',
  'pbcopy < out.txt',
  'pbpaste > snippet.txt',
  'pbpaste | jq .',
  'aws ec2 create-route --route-table-id r --destination-cidr-block 0.0.0.0/0 --gateway-id i',
  'gcloud compute firewall-rules create out --direction=EGRESS --destination-ranges=0.0.0.0/0 --allow=tcp:443',
  'gcloud compute firewall-rules create no --action=DENY --rules=all --source-ranges=0.0.0.0/0',
  'hcloud firewall add-rule fw --direction out --destination-ips 0.0.0.0/0 --protocol tcp --port 443',
  'xattr -p com.apple.quarantine x.app',
  'xattr -d user.note a.txt',
  'kubectl certificate deny --help',
  'dd if=/dev/zero of=a.bin bs=1M count=10',
]

describe.each(Object.entries(stopped))('a command that %s', (_, commands) => {
  it.each(commands)('is asked about or refused: %s', async (command) => {
    expect(await isStopped(command)).toBe(true)
  })
})

it.each(everyday)('an everyday neighbour of theirs passes: %s', async (command) => {
  expect(await isStopped(command)).toBe(false)
})
