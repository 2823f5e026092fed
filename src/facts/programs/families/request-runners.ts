import { http } from './http.ts'
import { host } from './network.ts'
import type { Family } from '../program.ts'

/** Programs that send requests whose method an option, a name or a file says: for tests, under load, to procedures. */
export const requestRunners: Family = {
  rows: { saysWhatStarts: true },
  programs: {
    'lwp-request httpx': {
      options:
        'm method t timeout i b base p proxy o f C credentials H header headers c=login content d data j json auth cookies download=write +verbose',
      request: 'method',
      echoes: 'U v verbose',
      opensSockets: true,
      network: (line) =>
        http(
          /^(?:post|put|patch)$/i.test(line.value('m', 'method')?.value ?? '') ? 'both' : 'receive',
          line.operands[0],
        ),
    },
    // Its files and its stdin have the requests.
    hurl: {
      options:
        'variable variables-file=read o=write output=write u=login user=login c=write cookie-jar=write b=read cookie=read error-format report-json=write report-html=write report-junit=write report-tap=write glob jobs repeat retry connect-timeout max-time secret=login',
      request: 'lines',
      network: { kind: 'request', direction: 'both' },
      operands: 'read',
    },
    'grpcurl evans': {
      options: 'd=data H=login proto=read cacert=key cert=key key=key import-path=names host p port package service',
      oneDash: true,
      request: 'procedure',
      network: (line) => ({ kind: 'request', direction: 'both', ...host(line.operands[0]) }),
    },
    // They put a server under load.
    'hey oha autocannon': {
      options:
        'n c q z m method H=login header t A d data D=read T a x w h2 host cpus p connections b body i input burst-delay burst-rate redirect',
      request: 'method',
      network: (line) => http('both', line.operands[0]),
    },
  },
}
