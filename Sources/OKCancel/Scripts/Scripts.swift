/// The scripts and style sheets of `Public` as browsers get them: `ScriptBundler` writes them at each build.
enum Scripts {}
