import type { PreparedTable, Rule, Table } from './call.ts'
import { prepareTable } from './table.ts'
import { archives } from './tables/archives.ts'
import { brew } from './tables/brew.ts'
import { aws, az, gcloud } from './tables/clouds.ts'
import { docker, dockerCompose, helm, kubectl, minor } from './tables/containers.ts'
import { databases } from './tables/databases.ts'
import { development } from './tables/development.ts'
import { git } from './tables/git.ts'
import { auth0, gh } from './tables/github.ts'
import { infrastructure } from './tables/infrastructure.ts'
import { macos } from './tables/macos.ts'
import { curl, ifconfig, ip, wget } from './tables/network.ts'
import { packageAliases, packages } from './tables/packages.ts'
import { harmless, limited } from './tables/plain.ts'
import { find } from './tables/search.ts'
import { awk, date, pager, sed } from './tables/text.ts'
import { versions } from './tables/versions.ts'

/** A program's own way, where it has one. */
function ownRule(program: string): Rule | undefined {
  switch (program) {
    case 'git':
      return git
    case 'gh':
      return gh
    case 'auth0':
      return auth0
    case 'aws':
      return aws
    case 'az':
      return az
    case 'gcloud':
      return gcloud
    case 'docker':
    case 'podman':
    case 'nerdctl':
      return docker
    case 'docker-compose':
    case 'podman-compose':
      return dockerCompose
    case 'kubectl':
    case 'oc':
      return kubectl
    case 'helm':
      return helm
    case 'brew':
      return brew
    case 'curl':
      return curl
    case 'wget':
      return wget
    case 'ip':
      return ip
    case 'ifconfig':
      return ifconfig
    case 'find':
    case 'gfind':
      return find
    case 'sed':
    case 'gsed':
      return sed
    case 'awk':
    case 'gawk':
    case 'mawk':
    case 'nawk':
      return awk
    case 'date':
    case 'gdate':
      return date
    case 'less':
    case 'more':
    case 'zless':
      return pager
    default:
      return undefined
  }
}

const own = (tables: Readonly<Record<string, Table>>, name: string): PreparedTable | undefined => {
  const table = Object.hasOwn(tables, name) ? tables[name] : undefined
  return table && prepareTable(table)
}

/** Returns a program's rule. Versioned names (`python3.12`) have the rule of the program. */
export function ruleOf(program: string): Rule | undefined {
  const name =
    packageAliases[program] ?? (/^python\d/.test(program) ? 'python' : /^pip\d/.test(program) ? 'pip' : program)
  const rule =
    ownRule(name) ??
    own(packages, name) ??
    own(development, name) ??
    own(infrastructure, name) ??
    own(macos, name) ??
    own(versions, name) ??
    own(minor, name) ??
    archives(name) ??
    databases(name)
  return rule ?? plainRule(name)
}

/** True if a program's rule covers only a few lines, so that its other rules apply as well. */
export const isPlain = (program: string): boolean => harmless.has(program) || limited.includes(`\n${program} `)

function plainRule(name: string): Rule | undefined {
  if (harmless.has(name)) return () => true
  const lines: string[] = []
  const head = `\n${name} `
  for (let at = limited.indexOf(head); at !== -1; at = limited.indexOf(head, at + 1)) {
    lines.push(limited.slice(at + head.length, limited.indexOf('\n', at + 1)))
  }
  return lines.length === 0 ? undefined : prepareTable({ lines: lines.join('\n') })
}
