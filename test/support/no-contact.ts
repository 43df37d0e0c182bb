import { afterEach } from 'bun:test'
import { isLoopback } from '../../src/lib/network'

// Preloaded before anything imports a module that it guards: named imports keep a module's original functions. It
// sees only contacts by JavaScript in this process; the network of scripts/test.ts restricts other processes.

/** Other machines that a test tried to look up or to reach. */
const contacts: string[] = []

afterEach(() => {
  const tried = contacts.splice(0)
  if (tried.length > 0) throw new Error(`a test tried to contact ${tried.join(', ')}`)
})

const net = process.getBuiltinModule('node:net')
const dns = process.getBuiltinModule('node:dns')

guard(globalThis, 'fetch', ([target]) => hostOfUrl(target))
guard(globalThis, 'WebSocket', ([target]) => hostOfUrl(target))
guard(net.Socket.prototype, 'connect', ([target, host]) => hostOfSocket(target, host))
guard(Bun, 'connect', ([options]) => textOf(options, 'hostname'))
for (const module of [Bun.dns, dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
  for (const name of lookupsOf(module)) guard(module, name, ([host]) => String(host))

/** `lookup`, `resolve`, `resolve4`, `reverse` … */
function lookupsOf(module: object): never[] {
  const names = [...Object.keys(module), ...Object.getOwnPropertyNames(module)]
  return [...new Set(names)].filter((name) => /^(?:lookup|resolve|reverse)/.test(name)) as never[]
}

/** Throws for every host but this machine, whether called or constructed. */
function guard<Of extends object>(
  of: Of,
  name: keyof Of,
  hostOf: (args: readonly unknown[]) => string | undefined,
): void {
  const refuse = (args: readonly unknown[]) => {
    const host = hostOf(args) ?? 'localhost'
    if (isLoopback(host) || anyAddress.has(host)) return
    contacts.push(`${host} by ${String(name)}`)
    throw new Error(`tests contact no other machine: ${host}`)
  }
  of[name] = new Proxy(of[name] as () => object, {
    apply: (original, self, args: []) => {
      refuse(args)
      return Reflect.apply(original, self, args)
    },
    construct: (original, args) => {
      refuse(args)
      return Reflect.construct(original, args)
    },
  }) as Of[keyof Of]
}

/** Addresses that mean this machine to a client. */
const anyAddress = new Set(['', '0.0.0.0', '::', '[::]'])

function hostOfUrl(target: unknown): string | undefined {
  const url = target instanceof Request ? target.url : String(target)
  return URL.parse(url)?.hostname
}

/** Of `connect(port, host)`, `connect({ host })`, and of the arguments as node passes them on. */
function hostOfSocket(target: unknown, host: unknown): string | undefined {
  const options: unknown = Array.isArray(target) ? target[0] : target
  if (typeof options === 'object') return textOf(options, 'host')
  return typeof host === 'string' ? host : undefined
}

function textOf(options: unknown, name: string): string | undefined {
  const value = (options as Readonly<Record<string, unknown>> | null | undefined)?.[name]
  return typeof value === 'string' ? value : undefined
}
