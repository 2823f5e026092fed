import { written, type Deed, type DeedCondition, type Deeds } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'

const removedByFirewall =
  '--remove-service|--remove-port|--remove-rich-rule|--remove-source|--remove-interface|--remove-masquerade|--remove-forward-port|--remove-icmp-block|--remove-protocol'

const openedByFirewall =
  '--add-service|--add-port|--add-source-port|--add-protocol|--add-forward-port|--add-masquerade|--add-rich-rule~accept|--set-target=ACCEPT|--zone=trusted'

/** Lets traffic in that was kept out. A rule for what only goes out, or stays on this machine, opens nothing. */
const opened = {
  kind: 'open',
  object: 'the firewall of this machine to others',
  names: 'none',
  thing: 'guard',
} as const satisfies Deed

const weakened = {
  kind: 'weaken',
  object: 'the firewall of this machine',
  names: 'none',
  thing: 'guard',
} as const satisfies Deed

const passed = {
  kind: 'change',
  object: 'what the firewall lets through',
  names: 'none',
  thing: 'guard',
} as const satisfies Deed

/** True if a rule of iptables lets in what others begin, from outside of this machine. */
const letsIn: DeedCondition = (_, { options }) => {
  const given = (...all: readonly string[]) => all.flatMap((name) => options.get(name) ?? [])
  return (
    given('j', 'jump', 'g', 'goto').some((target) => /^(?:ACCEPT|DNAT|REDIRECT)$/i.test(target)) &&
    given('A', 'append', 'I', 'insert', 'R', 'replace').some((chain) => !/^(?:OUTPUT|POSTROUTING)$/i.test(chain)) &&
    !given('i', 'in-interface').includes('lo') &&
    !given('ctstate', 'state').some((states) => !/NEW|INVALID/i.test(states))
  )
}

/** True for a rule of PowerShell's that lets traffic in: without `-Action Block` and `-Direction Outbound`, it does. */
const opensByRule: DeedCondition = ({ args }) => {
  const text = args.map(({ value }) => value).join(' ')
  return !/-action[ :]+block/i.test(text) && !/-direction[ :]+outbound/i.test(text)
}

const firewallRules: Deeds = {
  kind: 'delete',
  object: 'firewall rule',
  names: 'none',
  thing: 'guard',
  says: {
    '-F|--flush': { kind: 'delete', object: 'all firewall rules', names: 'none' },
    '-X|--delete-chain': { kind: 'delete', object: 'firewall chain', names: 'none' },
    '-Z|--zero': { kind: 'delete', object: 'the counters of the firewall', names: 'none' },
    '-P|--policy': passed,
  },
  also: [
    {
      kind: 'weaken',
      object: 'the firewall: it would let everything through that no rule names',
      names: 'none',
      thing: 'guard',
      never: ['-P|--policy'],
      when: (_, { words }) => words.some(({ text }) => text === 'ACCEPT'),
    },
    { ...opened, work: ['-A|--append|-I|--insert|-R|--replace'], when: letsIn },
  ],
  never: ['-F|--flush', '-X|--delete-chain', '-Z|--zero'],
  work: ['-D|--delete', '-P|--policy'],
  valued:
    't table p protocol s source d destination j jump g goto P policy D A append I insert R replace F X i in-interface o out-interface m match dport sport dports ctstate state',
  hIsNoHelp: true,
}

/** Programs that decide which network traffic reaches this machine. */
export const firewalls: Family = {
  area: 'system-services',
  programs: {
    ufw: {
      operands: 'none',
      does: {
        ...weakened,
        says: {
          delete: { kind: 'delete', object: 'firewall rule', names: 'none' },
          'route delete': { kind: 'delete', object: 'firewall rule', names: 'none' },
          'allow|limit': opened,
          'route|prepend allow|limit': opened,
          'insert * allow|limit': opened,
          'route insert * allow|limit': opened,
        },
        never: ['disable', 'reset', 'default allow'],
        work: [
          'delete',
          'route delete',
          'allow|limit',
          'route|prepend allow|limit',
          'insert * allow|limit',
          'route insert * allow|limit',
        ],
      },
      looks: 'status|version',
      prints: true,
      filtersPackets: true,
    },
    'firewall-cmd firewall-offline-cmd': {
      operands: 'none',
      does: {
        ...weakened,
        says: {
          '--panic-on': { kind: 'stop', object: 'all network traffic of this machine', names: 'none' },
          [openedByFirewall]: opened,
        },
        never: ['--panic-off', '--set-default-zone=trusted', removedByFirewall],
        work: ['--panic-on', '--delete-zone|--reset-to-defaults', openedByFirewall],
      },
      filtersPackets: true,
    },
    nft: {
      operands: 'none',
      does: {
        kind: 'delete',
        object: 'firewall rules',
        names: 'none',
        thing: 'guard',
        says: {
          'flush ruleset': { kind: 'weaken', object: 'the firewall, deleting all its rules', names: 'none' },
        },
        also: [
          { ...opened, work: ['add|insert|replace rule'], when: written(/\b(?:accept|dnat|redirect)\b/) },
          { ...passed, work: ['-f|--file'] },
        ],
        never: ['flush ruleset|table|chain', 'delete table|chain'],
        work: ['flush *', 'delete *'],
        valued: 'f file I includepath D define',
        harmless: ['-c|--check'],
      },
      looks: 'list',
      prints: true,
      filtersPackets: true,
    },
    'iptables ip6tables': {
      operands: 'none',
      does: firewallRules,
      looks:
        '-L|-S|--list|--list-rules !-A|-D|-I|-R|-F|-X|-Z|-N|-P|-E|-C|--append|--delete|--insert|--replace|--flush|--zero|--new-chain|--policy',
      filtersPackets: true,
    },
    'iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft ebtables arptables': {
      does: firewallRules,
      filtersPackets: true,
    },
    'iptables-restore ip6tables-restore iptables-legacy-restore iptables-nft-restore': {
      does: {
        kind: 'overwrite',
        object: 'all firewall rules',
        names: 'none',
        thing: 'guard',
        work: [''],
        harmless: ['-t|--test'],
      },
    },
    ipfw: {
      does: {
        ...weakened,
        also: [{ ...opened, work: ['add'], when: written(/\b(?:allow|accept|pass|permit|fwd|divert)\b/) }],
        never: ['flush', '-f flush'],
        work: ['delete', 'disable firewall'],
      },
      filtersPackets: true,
      looks: 'list|show',
    },
    pfctl: {
      does: {
        ...weakened,
        says: { '-f': passed },
        never: ['-d|-F'],
        work: ['-f'],
        valued: 'f F t T s',
        harmless: ['-n'],
      },
      filtersPackets: true,
    },
    socketfilterfw: {
      does: {
        ...weakened,
        says: { '--add|--unblockapp': opened, '--setallowsigned=on|--setallowsignedapp=on': opened },
        never: ['--setglobalstate=off', '--setblockall=off'],
        work: ['--add|--unblockapp', '--setallowsigned=on|--setallowsignedapp=on', '--setstealthmode=off', '--remove'],
        valued:
          'setglobalstate setblockall setallowsigned setallowsignedapp setstealthmode setloggingmode add remove unblockapp blockapp',
      },
      looks: '--getglobalstate|--getblockall|--getallowsigned|--getstealthmode|--getloggingmode|--listapps',
    },
    csf: {
      does: {
        ...weakened,
        says: { '-a|--add|-ta|--tempallow': opened },
        never: ['-x|--disable', '-f|--stop'],
        work: ['-a|--add|-ta|--tempallow', '-df|--denyf'],
        oneDash: true,
      },
    },
    'shorewall shorewall6': {
      does: { ...weakened, says: { allow: opened }, never: ['stop|clear'], work: ['allow'] },
    },
    'fail2ban-client': {
      does: {
        ...weakened,
        object: 'what keeps attackers from this machine',
        never: ['stop'],
        work: ['unban', 'set * unbanip|addignoreip'],
      },
      looks: 'status|ping|version|banned',
    },
    cscli: {
      does: {
        ...weakened,
        object: 'what keeps attackers from this machine',
        work: ['decisions|bouncers|machines delete', 'allowlists|allowlist add|create'],
      },
    },
    esxcli: {
      does: {
        ...weakened,
        says: { 'network firewall ruleset set --enabled=true': opened },
        never: ['network firewall set --enabled=false', 'network firewall unload'],
        work: ['network firewall ruleset set --enabled=true'],
        valued: 'e enabled r ruleset-id',
      },
    },
    'new-netfirewallrule set-netfirewallrule': {
      does: { ...opened, windows: 'parameters', work: [''], when: opensByRule },
    },
    'enable-netfirewallrule': { does: { ...opened, windows: 'parameters', work: [''] } },
    'disable-netfirewallrule remove-netfirewallrule': {
      does: { ...weakened, windows: 'parameters', never: [''] },
    },
    'set-netfirewallprofile': {
      does: {
        ...weakened,
        windows: 'parameters',
        valued: 'enabled profile name defaultinboundaction',
        never: ['-enabled=false|-enabled=$false|-defaultinboundaction=allow'],
      },
    },
  },
  examples: {
    'ufw allow 22/tcp': 'opens the firewall of this machine to others',
    'ufw insert 1 limit ssh': 'opens the firewall of this machine to others',
    'ufw deny 23': '',
    'iptables -A INPUT -p tcp --dport 5432 -j ACCEPT': 'opens the firewall of this machine to others',
    'iptables -A INPUT -i lo -j ACCEPT': '',
    'iptables -A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT': '',
    'iptables -A OUTPUT -j ACCEPT': '',
    'iptables -A INPUT -p tcp --dport 23 -j DROP': '',
    'iptables-restore rules.v4': 'overwrites all firewall rules',
    'iptables-restore --test rules.v4': '',
    'firewall-cmd --permanent --add-port=3306/tcp': 'opens the firewall of this machine to others',
    'firewall-cmd --reload': '',
    'nft add rule inet filter input tcp dport 22 accept': 'opens the firewall of this machine to others',
    'nft -f rules.nft': 'changes what the firewall lets through',
    'nft -c -f rules.nft': '',
    'ipfw add allow tcp from any to me 22': 'opens the firewall of this machine to others',
    'ipfw -f flush': 'weakens the firewall of this machine',
    'pfctl -d': 'weakens the firewall of this machine',
    'pfctl -f pf.conf': 'changes what the firewall lets through',
    'pfctl -nf pf.conf': '',
    'pfctl -sr': '',
    'socketfilterfw --setglobalstate off': 'weakens the firewall of this machine',
    'socketfilterfw --unblockapp /tmp/x': 'opens the firewall of this machine to others',
    'csf -x': 'weakens the firewall of this machine',
    'fail2ban-client unban 203.0.113.9': 'weakens what keeps attackers from this machine',
    'New-NetFirewallRule -DisplayName a -LocalPort 22 -Action Allow': 'opens the firewall of this machine to others',
    'New-NetFirewallRule -DisplayName a -LocalPort 22 -Action Block': '',
    'Set-NetFirewallProfile -All -Enabled False': 'weakens the firewall of this machine',
    'ufw disable': 'weakens the firewall of this machine',
    'iptables -F': 'deletes all firewall rules, for good',
    'nft flush ruleset': 'weakens the firewall, deleting all its rules',
  },
}
