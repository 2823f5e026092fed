import { z } from 'zod'

/**
 * The rules of OCSF for the classes and objects that hookgate writes: required attributes, what at least one must be, the
 * values of enumerations, the names that there are. From the schema's own files (`events/`, `objects/`, `profiles/` of
 * ocsf-schema 1.9), in which attributes of other profiles are left out.
 */

const text = z.string().min(1)
const oneOf = (...values: readonly number[]) => z.int().refine((value) => values.includes(value))
const named = <T extends z.ZodRawShape>(shape: T, ...oneOfThem: readonly string[]) =>
  z
    .strictObject(shape)
    .refine(
      (value) => oneOfThem.length === 0 || oneOfThem.some((name) => name in value),
      `one of ${oneOfThem.join(', ')}`,
    )

const product = named({ name: text.optional(), vendor_name: text, version: text.optional() }, 'name', 'uid')
const metadata = z.strictObject({
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  product,
  profiles: z.array(z.enum(['host', 'security_control'])),
  uid: text,
  sequence: z.int(),
  log_name: text,
  original_time: text,
  event_code: text.optional(),
  correlation_uid: text.optional(),
})
const os = z.strictObject({ name: text, type_id: oneOf(0, 100, 200, 300, 99), type: text })
const device = named(
  { hostname: text, uid: text, type_id: oneOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 99), type: text, os },
  'ip',
  'uid',
  'name',
  'hostname',
)
const user = named({ name: text, type_id: oneOf(0, 1, 2, 3, 99), type: text }, 'name', 'uid')
const actor = named(
  { app_name: text, app_uid: text, session: z.strictObject({ uid: text }).optional(), user: user.optional() },
  'process',
  'user',
  'session',
  'app_name',
  'app_uid',
)
const policy = named({ name: text, uid: text, version: text.optional() }, 'name', 'uid')
const ocsfProcess = named({ uid: text, cmd_line: text.optional() }, 'pid', 'uid')
const file = z.strictObject({
  name: text,
  type_id: oneOf(0, 1, 2, 3, 4, 5, 6, 7, 99),
  type: text,
  path: text.optional(),
})
const url = named(
  {
    url_string: text,
    hostname: text.optional(),
    scheme: text.optional(),
    path: text.optional(),
    port: z.int().optional(),
  },
  'url_string',
  'path',
)
const request = z.strictObject({ url })
const api = z.strictObject({
  operation: text,
  service: named({ name: text }, 'name', 'uid').optional(),
  request: z.strictObject({ uid: text, data: z.strictObject({ subject: text }).optional() }).optional(),
})
const endpoint = named({ hostname: text, uid: text }, 'ip', 'uid', 'name', 'hostname')

const base = {
  time: z.int().positive(),
  severity_id: oneOf(0, 1, 2, 3, 4, 5, 6, 99),
  severity: text,
  action_id: oneOf(0, 1, 2),
  action: text,
  disposition_id: oneOf(...Array.from({ length: 28 }, (_, index) => index), 99),
  disposition: text,
  message: text,
  metadata,
  device,
  actor,
  policy: policy.optional(),
  duration: z.int().optional(),
  unmapped: z.record(z.string(), z.unknown()),
}
const typed = z.looseObject({ type_uid: z.int(), activity_id: z.int(), class_uid: z.int() })
const classed = <T extends z.ZodRawShape>(uid: number, category: number, activities: readonly number[], shape: T) =>
  z
    .strictObject({
      class_uid: z.literal(uid),
      class_name: text,
      category_uid: z.literal(category),
      category_name: text,
      activity_id: oneOf(0, 99, ...activities),
      activity_name: text,
      type_uid: z.int(),
      ...base,
      ...shape,
    })
    .refine((event) => {
      const { type_uid, activity_id } = typed.parse(event)
      return type_uid === uid * 100 + activity_id
    }, 'type_uid')
const status = { status_id: oneOf(0, 1, 2, 99), status: text, status_detail: text.optional() }

/** Checks an event against the class that it names. */
export const OcsfEvent = z.union([
  classed(2004, 2, [1, 2, 3], {
    status_id: oneOf(0, 1, 2, 3, 4, 5, 6, 99),
    status: text,
    is_alert: z.boolean(),
    finding_info: z.strictObject({
      uid: text,
      title: text,
      desc: text.optional(),
      created_time: z.int(),
      types: z.array(text),
      analytic: named(
        { uid: text, name: text, type_id: oneOf(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99), type: text },
        'name',
        'uid',
      ).optional(),
    }),
    evidences: z.array(
      z.strictObject({
        process: ocsfProcess.optional(),
        file: file.optional(),
        http_request: request.optional(),
        api: api.optional(),
        device,
      }),
    ),
  }),
  classed(1007, 1, [1, 2, 3, 4, 5], { ...status, process: ocsfProcess }),
  classed(1001, 1, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14], { ...status, file }),
  classed(4002, 4, [1, 2, 3, 4, 5, 6, 7, 8, 9], { ...status, http_request: request, src_endpoint: endpoint }),
  classed(6003, 6, [1, 2, 3, 4], { ...status, api, src_endpoint: endpoint }),
])
