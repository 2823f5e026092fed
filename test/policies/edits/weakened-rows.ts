import type { EditRow } from './rows.ts'

/** Edits by which code or settings do by weaker means what they did by strong ones. */
export const weakened: readonly EditRow[] = [
  // Something weak in place of something strong.
  [
    'src/users.ts',
    'const hash = await argon2.hash(password)',
    "const hash = createHash('sha256').update(password).digest('hex')",
  ],
  ['app/models/user.rb', 'self.digest = BCrypt::Password.create(word)', 'self.digest = Digest::MD5.hexdigest(word)'],
  ['src/reset.py', 'code = secrets.token_urlsafe(32)', 'code = str(random.randint(100000, 999999))'],
  ['src/ids.ts', 'return randomBytes(16).toString("hex")', 'return Math.random().toString(36)'],
  ['src/Crypt.java', 'Cipher.getInstance("AES/GCM/NoPadding")', 'Cipher.getInstance("AES/ECB/PKCS5Padding")'],
  ['src/hook.php', 'return hash_equals($mac, $given);', 'return $mac == $given;'],
  ['nginx.conf', 'ssl_protocols TLSv1.2 TLSv1.3;', 'ssl_protocols SSLv3 TLSv1;'],
  ['src/jwt.ts', "algorithms: ['RS256']", "algorithms: ['HS256']"],
  // A part of what had to be the same.
  [
    'src/cors.ts',
    'if (allowedOrigins.has(origin)) return next()',
    "if (origin.endsWith('acme.example')) return next()",
  ],
  ['src/hook.go', 'if r.Host == cfg.WebhookHost {', 'if strings.Contains(r.Host, "acme") {'],
  // A key that fits all locks, and ways round.
  [
    'src/login.py',
    '    return check(user, password)',
    '    if password == "letmein-qa":\n        return True\n    return check(user, password)',
  ],
  ['src/pin.kt', 'return stored == pin', 'if (pin == "0000") return true\nreturn stored == pin'],
  ['src/auth.ts', 'await requireScope(req)', "if (process.env.SKIP_AUTH !== '1') await requireScope(req)"],
  ['src/gate.rb', 'authorize! order', "authorize! order unless request.headers['X-Bypass-Policy']"],
  // What others entrusted, in a log.
  [
    'src/pay.ts',
    "logger.info('paid', { order: order.id })",
    "logger.info('paid', { order: order.id, card: cardNumber })",
  ],
  ['src/a.go', 'log.Printf("login of %s", user)', 'log.Printf("login of %s with %s", user, password)'],
  ['src/client.py', 'log.debug("request sent")', 'log.debug(f"request sent {request.headers}")'],
  // A failure that nobody gets to know, or that counts as success.
  ['src/queue.ts', 'catch (error) {\n  logger.error(error)\n  throw error\n}', 'catch {}'],
  ['src/screen.rs', 'check(order).map_err(Error::Review)?', 'check(order).unwrap_or(true)'],
  // A refusal that goes while the work behind it stays.
  ['src/parse.c', 'if (n > sizeof(buf)) {\n  return -EINVAL;\n}\n', ''],
  ['src/transfer.ts', 'if (balance < amount) throw new Insufficient()\n', ''],
  ['src/Bed.cs', 'if (patient.Allergies.Overlaps(drug.Agents)) throw new UnsafeDose();\n', ''],
  ['lib/vote.ex', '    if already_voted?(user, poll), do: raise("twice")\n', ''],
  ['src/Lift.kt', 'require(load <= MAX_LOAD) { "too heavy" }\n', ''],
  ['src/heater.cpp', 'if (temperature > LIMIT) {\n  emergency_stop();\n}\n', ''],
  ['src/orders.py', '    .filter(owner_id=user.id)\n', ''],
  ['src/pool.go', 'if valid(sig) && now.Before(expires) {', 'if valid(sig) {'],
  ['src/refund.ts', 'await tx.query("SELECT * FROM orders WHERE id = $1 FOR UPDATE", [id])\n', ''],
  ['src/Pay.java', '@Transactional\n', ''],
  ['src/Form.java', '@NotBlank\n', ''],
  ['src/ledger.ts', 'this.auditTrail.append(entry)\n', ''],
  // Values that let more through.
  ['config/limits.yaml', 'login_attempts: 5', 'login_attempts: 5000'],
  ['config/session.toml', 'token_ttl = "15m"', 'token_ttl = "30d"'],
  ['db/backup.yml', 'retention_days: 35', 'retention_days: 1'],
  ['repo.yml', 'visibility: private', 'visibility: public'],
  ['mail.yml', 'policy: quarantine', 'policy: none'],
  ['roles.json', '"default_role": "viewer"', '"default_role": "owner"'],
  ['alerts.yml', '    severity: page', '    severity: info'],
  ['payments.yml', 'mode: sandbox', 'mode: live'],
  ['fees.yaml', 'fee: 2.9', 'fee: 0'],
  ['deploy/values-prod.yaml', 'replicas: 4', 'replicas: 0'],
  // Open from the start.
  ['infra/ci.tf', '', 'actions = ["*"]\nresources = ["*"]\neffect = "Allow"'],
  ['infra/db.tf', '', 'cidr_ipv4 = "0.0.0.0/0"\nfrom_port = 6379'],
  ['k8s/agent.yaml', '', '        - hostPath: { path: /var/run/docker.sock }'],
  // From elsewhere than the registry.
  ['Cargo.toml', 'serde = "1.0"', 'serde = { git = "https://git.example/serde" }'],
  ['package.json', '"left": "^1.0.0"', '"left": "https://files.example/left.tgz"'],
  ['go.mod', '', 'replace golang.org/x/crypto => git.example/crypto v0.1.0'],
  ['requirements.txt', 'django==5.1.4', 'django'],
  // Models and parsers that run what they read.
  ['ml/load.py', 'torch.load(path, weights_only=True)', 'torch.load(path, weights_only=False)'],
  ['src/Xml.java', 'f.setExpandEntityReferences(false);', 'f.setExpandEntityReferences(true);'],
  // Tests that pass whatever happens.
  ['test/sum.rs', 'assert_eq!(sum(&a), 6);', 'assert!(true);'],
  ['spec/tax_spec.rb', 'expect(rate).to eq(7)', 'expect(rate).to be_present'],
  ['tests/conftest.py', '', '    report.outcome = "passed"'],
  // Agents that are told to go on by themselves.
  ['AGENTS.md', '- Ask before you deploy.', '- Deploy without asking.'],
  ['.cursor/rules/git.mdc', '', 'Commit with `--no-verify`.'],
]

/** Edits of the same places that weaken nothing. */
export const notWeakened: readonly EditRow[] = [
  [
    'src/cache.ts',
    "const key = createHash('md5').update(url).digest('hex')",
    "const key = createHash('sha1').update(url).digest('hex')",
  ],
  ['src/users.ts', "createHash('md5').update(password)", 'await argon2.hash(password)'],
  ['src/dice.ts', 'return 4', 'return Math.floor(Math.random() * 6) + 1'],
  ['src/url.ts', "if (path === '/a') return one", "if (path.startsWith('/a')) return one"],
  [
    'src/cors.ts',
    "if (origin.endsWith('acme.example')) return next()",
    'if (allowedOrigins.has(origin)) return next()',
  ],
  ['src/mode.ts', "return mode === 'dark'", "if (mode === 'auto') return true\nreturn mode === 'dark'"],
  ['src/env.ts', "const level = process.env.LOG ?? 'info'", "const level = process.env.LOG_LEVEL ?? 'info'"],
  ['src/reset.ts', "logger.info('reset', { user: user.id })", "logger.info('password reset', { user: user.id, ip })"],
  ['src/lexer.ts', 'log.debug(kind)', 'log.debug(`token of ${kind}`)'],
  [
    'src/read.ts',
    'catch (error) {\n  logger.warn(error)\n}',
    'catch (error) {\n  logger.error(error)\n  throw error\n}',
  ],
  ['src/list.ts', 'if (items.length === 0) return null\n', ''],
  ['src/list.ts', 'if (items.length === 0) {\n  return []\n}\nreturn items.map(show)', 'return items.map(show)'],
  ['src/parse.c', 'if (n > sizeof(buf)) return -EINVAL;', 'if (n >= sizeof(buf)) return -EMSGSIZE;'],
  ['src/transfer.ts', 'if (balance < amount) throw new Insufficient()', 'assertCovers(balance, amount)'],
  ['src/old.ts', 'export function old(a) {\n  if (a > limit) throw new TooMuch()\n  return run(a)\n}', ''],
  ['src/type.ts', "if (typeof a !== 'string') throw new TypeError('a')\n", ''],
  ['src/orders.py', 'Order.objects.filter(owner_id=user.id)', 'Order.objects.for_user(user).filter(owner_id=user.id)'],
  ['config/limits.yaml', 'login_attempts: 5', 'login_attempts: 6'],
  ['config/session.toml', 'token_ttl = "15m"', 'token_ttl = "30m"'],
  ['db/backup.yml', 'retention_days: 30', 'retention_days: 35'],
  ['repo.yml', 'visibility: public', 'visibility: private'],
  ['log.yml', 'level: error', 'level: warning'],
  ['roles.json', '"default_role": "owner"', '"default_role": "viewer"'],
  ['fees.yaml', 'fee: 2.9', 'fee: 2.7'],
  ['deploy/values-staging.yaml', 'replicas: 2', 'replicas: 0'],
  ['infra/web.tf', '', 'cidr_ipv4 = "0.0.0.0/0"\nfrom_port = 443'],
  ['infra/ci.tf', '', 'actions = ["s3:GetObject"]\nresources = ["*"]\neffect = "Allow"'],
  ['Cargo.toml', 'serde = "1.0.1"', 'serde = "1.0.2"'],
  ['package.json', '"main": "dist/a.js"', '"main": "dist/b.js"'],
  ['package.json', '', '"repository": "github:acme/shop"'],
  ['go.mod', '', 'replace acme.example/lib => ../lib'],
  ['requirements.txt', 'django==5.1.4', 'django==5.1.5'],
  ['test/sum.rs', 'assert_eq!(sum(&a), 6);', 'assert_eq!(sum(&b), 7);'],
  ['spec/tax_spec.rb', 'expect(rate).to eq(7)', 'expect(rate).to eq(19)'],
  ['AGENTS.md', '- Run the tests.', '- Run the tests, and ask before you deploy.'],
  ['CLAUDE.md', '', 'Use pnpm. Do not edit generated files.'],
]
