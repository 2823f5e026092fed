import { type Deeds, platformStage, written } from '../deeds/deeds.ts'
import type { Family } from '../program.ts'

/** What is paid to an address of a chain never comes back. */
const pays: Deeds = { kind: 'pay', thing: 'money', object: 'money', names: 'none' }

const node: Deeds = {
  ...pays,
  valued: 'rpcwallet rpcuser rpcpassword rpcport rpcconnect datadir conf',
  never: ['sendtoaddress|sendmany|sendrawtransaction|send|sendall|sweepprivkeys|bumpfee'],
  shows: { 'dumpprivkey|dumpwallet|listdescriptors': { object: 'key of a wallet', names: 'none' } },
}

/** Wallets and nodes of chains and of payments between them. */
export const wallets: Family = {
  area: 'accounts-and-payments',
  programs: {
    'bitcoin-cli litecoin-cli dogecoin-cli zcash-cli dash-cli elements-cli': { does: node },
    cast: {
      does: [
        {
          ...pays,
          never: ['send|publish|mktx'],
          harmless: ['--curl'],
          shows: { 'wallet decrypt-keystore|private-key': { object: 'key of a wallet', names: 'none' } },
        },
        platformStage,
      ],
    },
    'solana spl-token': {
      does: [
        {
          ...pays,
          never: ['transfer|pay|burn|withdraw-stake|close|withdraw-from-nonce-account', 'program close'],
          says: { 'program close': { kind: 'delete', thing: 'deployment', object: 'program' } },
        },
        platformStage,
      ],
    },
    near: { does: [{ ...pays, never: ['send*', 'tokens *', 'account delete-account', 'delete*'] }, platformStage] },
    'lncli lightning-cli': {
      does: {
        ...pays,
        never: ['sendpayment|payinvoice|sendcoins|sendmany|pay|keysend|withdraw|sendtoroute'],
        work: ['closechannel|closeallchannels|close'],
        says: { 'closechannel|closeallchannels|close': { kind: 'stop', object: 'payment channel' } },
      },
    },
    'sui aptos': { does: { ...pays, never: ['client transfer*|pay*', 'account transfer', 'client ptb'] } },
    'monero-wallet-cli': { does: { ...pays, never: [''], when: written(/\b(?:transfer|sweep_all)\b/) } },
  },
  examples: {
    'cast send 0xabc "transfer(address,uint256)" 0xdef 5': 'moves money',
    'cast call 0xabc "totalSupply()"': '',
    'bitcoin-cli sendtoaddress bc1q 0.5': 'moves money',
    'bitcoin-cli -rpcwallet=a getbalance': '',
    'solana transfer 9xQ 100': 'moves money',
    'solana balance': '',
    'lncli payinvoice lnbc1': 'moves money',
  },
}
