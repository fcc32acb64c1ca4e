import { type Platform } from '@agate/client';

/** The ways in which an app looks for updates: a language with the plain check, or the updater of a framework. */
export interface Framework {
  readonly value: string;
  readonly label: string;
  /** The code for the address of an update key. docs/updates.md shows the same. */
  readonly code: (url: string) => string;
  /** Whether the updater installs only builds that have a signature. */
  readonly needsSignature?: boolean;
}

const KOTLIN: Framework = {
  value: 'kotlin',
  label: 'Kotlin',
  code: (url) => `suspend fun updateUrl(): Uri? = withContext(Dispatchers.IO) {
    val query = "version=\${BuildConfig.VERSION_NAME}&build=\${BuildConfig.VERSION_CODE}&os_version=\${Build.VERSION.SDK_INT}"
    val connection = URL("${url}?$query").openConnection() as HttpURLConnection
    if (connection.responseCode != 200) return@withContext null
    val answer = JSONObject(connection.inputStream.bufferedReader().readText())
    if (answer.getBoolean("update_available")) Uri.parse(answer.getString("install_url")) else null
}

// After a dialog: startActivity(Intent(Intent.ACTION_VIEW, url))
`,
};

const SWIFT: Framework = {
  value: 'swift',
  label: 'Swift',
  code: (url) => `struct Update: Decodable { let update_available: Bool; let mandatory: Bool; let install_url: URL }

func update() async throws -> Update? {
    let info = Bundle.main.infoDictionary!
    var url = URLComponents(string: "${url}")!
    url.queryItems = [
        .init(name: "version", value: info["CFBundleShortVersionString"] as? String),
        .init(name: "build", value: info["CFBundleVersion"] as? String),
    ]
    let (data, response) = try await URLSession.shared.data(from: url.url!)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { return nil }
    let answer = try JSONDecoder().decode(Update.self, from: data)
    return answer.update_available ? answer : nil  // after a dialog: UIApplication.shared.open(answer.install_url)
}
`,
};

const REACT_NATIVE: Framework = {
  value: 'react-native',
  label: 'React Native',
  code: (url) => `import DeviceInfo from 'react-native-device-info';
import { Linking } from 'react-native';

export async function offerUpdate(confirm: (mandatory: boolean) => Promise<boolean>): Promise<void> {
  const app = new URLSearchParams({ version: DeviceInfo.getVersion(), build: DeviceInfo.getBuildNumber() });
  const response = await fetch(\`${url}?\${app.toString()}\`);
  if (!response.ok) return;
  const { update_available, mandatory, install_url } = await response.json();
  if (update_available && (await confirm(mandatory))) await Linking.openURL(install_url);
}
`,
};

const FLUTTER: Framework = {
  value: 'flutter',
  label: 'Flutter',
  code: (url) => `Future<Uri?> updateUrl() async {
  final app = await PackageInfo.fromPlatform();
  final query = {'version': app.version, 'build': app.buildNumber};
  final response = await http.get(Uri.parse('${url}').replace(queryParameters: query));
  if (response.statusCode != 200) return null;
  final answer = jsonDecode(response.body) as Map<String, dynamic>;
  return answer['update_available'] as bool ? Uri.parse(answer['install_url'] as String) : null; // launchUrl(…)
}
`,
};

const APP_CENTER = { value: 'app-center', label: 'App Center SDK' };

const APP_CENTER_ANDROID: Framework = {
  ...APP_CENTER,
  code: (url) => `Distribute.setApiUrl("${url}/appcenter/v0.1")
AppCenter.start(application, "any-secret", Distribute::class.java)
`,
};

const APP_CENTER_IOS: Framework = {
  ...APP_CENTER,
  code: (url) => `Distribute.apiUrl = "${url}/appcenter/v0.1"
AppCenter.start(withAppSecret: "any-secret", services: [Distribute.self])
`,
};

const SPARKLE: Framework = {
  value: 'sparkle',
  label: 'Sparkle',
  needsSignature: true,
  code: (url) => `<key>SUFeedURL</key>
<string>${url}/appcast.xml</string>
`,
};

const WINSPARKLE: Framework = {
  value: 'winsparkle',
  label: 'WinSparkle',
  needsSignature: true,
  code: (url) => `win_sparkle_set_appcast_url("${url}/appcast.xml");
win_sparkle_init();
`,
};

const ELECTRON_UPDATER: Framework = {
  value: 'electron-updater',
  label: 'electron-updater',
  code: (url) => `const { autoUpdater } = require('electron-updater');
autoUpdater.setFeedURL({ provider: 'generic', url: '${url}' });
autoUpdater.checkForUpdatesAndNotify();
`,
};

const SQUIRREL: Framework = {
  value: 'squirrel',
  label: 'Electron autoUpdater',
  code: (url) => `const { app, autoUpdater } = require('electron');
autoUpdater.setFeedURL({ url: \`${url}/squirrel?version=\${app.getVersion()}\` });
autoUpdater.checkForUpdates();
`,
};

const TAURI: Framework = {
  value: 'tauri',
  label: 'Tauri',
  needsSignature: true,
  code: (url) => `{
  "plugins": {
    "updater": {
      "pubkey": "…",
      "endpoints": ["${url}/tauri/{{target}}/{{arch}}/{{current_version}}"]
    }
  }
}
`,
};

const CURL: Framework = {
  value: 'curl',
  label: 'curl',
  code: (url) => `curl "${url}?version=1.9&build=41"
`,
};

/** The frameworks of the apps of a platform, the most common first. */
export const FRAMEWORKS: Readonly<Record<Platform, readonly Framework[]>> = {
  ios: [SWIFT, REACT_NATIVE, FLUTTER, APP_CENTER_IOS, CURL],
  android: [KOTLIN, REACT_NATIVE, FLUTTER, APP_CENTER_ANDROID, CURL],
  macos: [SPARKLE, ELECTRON_UPDATER, SQUIRREL, TAURI, CURL],
  windows: [ELECTRON_UPDATER, WINSPARKLE, TAURI, CURL],
  linux: [ELECTRON_UPDATER, TAURI, CURL],
};
