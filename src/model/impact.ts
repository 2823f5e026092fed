/**
 * Impacts: what a tool call would do to things that others may depend on, in one vocabulary for every tool and agent.
 * Found by `facts/impacts`; plain data, since they are sent into the sandbox as JSON.
 */

import type { RunLater } from './shell.ts'

/** What happens to a thing. */
export const impactKinds = [
  'show',
  'create',
  'change',
  'overwrite',
  'delete',
  'rollback',
  'deploy',
  'stop',
  'restart',
  'publish',
  'withdraw',
  'merge',
  'grant',
  'revoke',
  'send',
  'pay',
  'spend',
  'run',
  'open',
  'install',
  'weaken',
  'attack',
] as const
export type ImpactKind = (typeof impactKinds)[number]

/** The meaning of each kind, for authors. */
export const kindMeanings: Readonly<Record<ImpactKind, string>> = {
  show: 'its content is shown: to the model, in a log, on a screen',
  create: 'it is made',
  change: 'it is changed, and stays in place',
  overwrite: 'something else takes its place, and what was there is lost',
  delete: 'it is deleted',
  rollback: 'it is made as it was before',
  deploy: 'a version of it starts to serve others',
  stop: 'it no longer runs, or others can no longer use it',
  restart: 'it is interrupted',
  publish: 'others get it from now on',
  withdraw: 'others no longer get it',
  merge: 'a change becomes part of what others build on',
  grant: 'somebody, or a program, may do more from now on',
  revoke: 'somebody, or a program, may no longer do what it could',
  send: 'it reaches somebody',
  pay: 'money moves',
  spend: 'it will have to be paid for',
  run: 'it is run, and nobody here has read it',
  open: 'others can reach it from now on',
  install: 'it comes onto this machine, or into the project',
  weaken: 'it guards less than before',
  attack: 'somebody tries to break into it, or to bring it down',
}

/** What the thing is. */
export const impactThings = [
  'data',
  'infrastructure',
  'container',
  'deployment',
  'repository',
  'reference',
  'history',
  'stash',
  'worktree',
  'package',
  'account',
  'secret',
  'message',
  'money',
  'guard',
  'backup',
  'record',
  'pipeline',
  'variable',
  'setting',
  'machine',
  'network',
  'code',
] as const
export type ImpactThing = (typeof impactThings)[number]

/** The meaning of each thing, for authors. */
export const thingMeanings: Readonly<Record<ImpactThing, string>> = {
  data: 'what is stored: databases, tables, rows, objects, volumes, queues',
  infrastructure: 'machines, clusters, networks of a provider, and what runs there',
  container: 'containers on one machine, which are made again from their images',
  deployment: 'a version that serves users: releases, applications, sites',
  repository: 'commits, branches, tags and settings of a repository',
  reference: 'branches, tags and other names of commits in a repository on this machine',
  history: 'the commits of a repository on this machine, and what lost ones are recovered from',
  stash: 'changes that are set aside, and in no commit of a branch',
  worktree: 'folders of a repository in which somebody works',
  package: 'packages, images and extensions that others install',
  account: 'users, roles, teams, and what they may do',
  secret: 'passwords, keys, tokens and certificates',
  message: 'mails, chat messages, calls, posts',
  money: 'payments, subscriptions, domains, commitments to pay',
  guard: 'what keeps others from harm: protection, policies, reviews, checks',
  backup: 'what everything else is restored from',
  record: 'logs, metrics, alarms: how people learn what happened',
  pipeline: 'jobs and runners, and what they keep',
  variable: 'the variables and secrets that programs, builds and containers are given',
  setting: 'settings by which a program runs others, or contacts other servers',
  machine: 'this machine or a device: its services, disks, firmware, users',
  network: 'names, routes, addresses, rules of a firewall, cached content',
  code: 'programs and scripts',
}

/** The families of systems that hookgate knows, in the order of their table. */
export const impactAreas = [
  'kubernetes',
  'aws',
  'azure',
  'google-cloud',
  'cloud-providers',
  'hosting',
  'data-platforms',
  'database-servers',
  'migrations',
  'messaging',
  'storage',
  'mirrors',
  'backups',
  'containers',
  'infrastructure-as-code',
  'releases',
  'ci-cd',
  'git',
  'going-live',
  'stages',
  'code-hosting',
  'version-control',
  'secret-stores',
  'environment',
  'secret-searches',
  'accounts-and-payments',
  'outgoing-messages',
  'monitoring',
  'dns-and-cdn',
  'load-balancers',
  'opened-access',
  'attacks',
  'fetched-code',
  'decoded-code',
  'system-services',
  'machine',
  'privileges',
  'processes',
  'disks',
  'trash',
  'defences',
  'checks',
  'windows',
  'devices',
  'packages',
  'system-packages',
  'mcp-tools',
  'mcp-systems',
  'reaching-others',
  'sql',
  'key-value-and-documents',
  'http-requests',
  'protection',
  'agents',
  'schedules',
  'programs',
] as const
export type ImpactArea = (typeof impactAreas)[number]

/** What does it, if no word of the command says so: a request that it sends, code that it runs, a file that it writes. */
export const impactMeans = ['request', 'code', 'file'] as const

/** Where it happens, as far as the names in the call say. */
export type ImpactPlace =
  /** A name says that users depend on it: `prod`, `live`. */
  | 'production'
  /** A name says that nobody depends on it: `staging`, `dev`, `test`. */
  | 'trial'
  /** A service on this machine: `localhost`. */
  | 'local'
  | 'unknown'

export interface Impact {
  readonly kind: ImpactKind
  readonly thing: ImpactThing
  readonly area: ImpactArea
  /** What it is called there, in the singular: `namespace`, `bucket`. Absent if the call does not say. */
  readonly object?: string
  /** The names that the call gives, as far as they are known. */
  readonly names: readonly string[]
  readonly where: ImpactPlace
  /** The other machine or the container in which its command runs, in words: "on `web1`", "in container `db`". */
  readonly elsewhere?: string
  /** How many of them: all that there are, those that are named, or not known. */
  readonly extent: 'one' | 'some' | 'all' | 'unknown'
  /** Whether it can be undone: never, with some work, such as setting the thing up again, or by a call like it. */
  readonly undo: 'never' | 'work' | 'easily'
  /** Set if it depends on words that are known only when the command runs. */
  readonly unsure?: true
  /** What follows from it, in words: "with the work of others". */
  readonly consequence?: string
  /** A better way than to have the person do it, in words: "use `--force-with-lease`". */
  readonly instead?: string
  /** Set if no word of the command says so, but a request that it sends, or code that it runs. */
  readonly through?: (typeof impactMeans)[number]
  /** Set if the call itself does not run its command. */
  readonly later?: RunLater
  /**
   * Index of the command in `shell.commands`. For a tool of a server: the field of its input that says what is done, or
   * the tool's name if that says it.
   */
  readonly by: number | string
  /** The program and the words of the call that say so: `kubectl delete --all`, `curl DELETE`, `psql … DROP TABLE`. */
  readonly words: string
  /** The program and all its words that are no options: `kubectl delete deployment web`; or the tool's name. */
  readonly command: string
  /** Values of the options or fields that say where, and hosts of requests: `{ context: ['live'] }`. */
  readonly targets: Readonly<Record<string, readonly string[]>>
}
