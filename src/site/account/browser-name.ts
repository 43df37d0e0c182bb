import type { Messages } from '../../messages/en'

/** From a User-Agent header; good enough to tell one's own sessions apart. */
export function browserName(userAgent: string, t: Messages): string {
  const browser = nameIn(userAgent, browsers)
  const system = nameIn(userAgent, systems)
  if (browser === undefined) return t.sessions.unknownBrowser
  return system === undefined ? browser : t.sessions.browserOn(browser, system)
}

const nameIn = (userAgent: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([sign]) => sign.test(userAgent))?.[1]

// Most browsers also name the ones they derive from, so the derived ones come first.
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const

const systems = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const
