// Starts `zug lsp`, which does the rest.

const fs = require('fs');
const path = require('path');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

// Folders in which a clone may be: that of the setting, then whatever holds this extension or the workspace.
function command() {
    const wanted = vscode.workspace.getConfiguration('zug').get('command');
    if (wanted) return wanted;
    const folders = [path.resolve(fs.realpathSync(__dirname), '../../..')];
    for (const folder of vscode.workspace.workspaceFolders ?? []) folders.push(folder.uri.fsPath, path.dirname(folder.uri.fsPath));
    const launchers = folders.filter((folder) => fs.existsSync(path.join(folder, 'rules/prelude.zug')));
    return launchers.length > 0 ? path.join(launchers[0], 'zug') : 'zug';
}

async function start() {
    client = new LanguageClient(
        'zug',
        'Zug',
        { command: command(), args: ['lsp'] },
        {
            documentSelector: [{ language: 'zug' }],
            // What a rule file extends may be changed by somebody else.
            synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.zug') },
            middleware: {
                // The lenses show the outcomes too, but only once the client asks again.
                async executeCommand(name, values, next) {
                    const outcome = await next(name, values);
                    if (outcome?.text) vscode.window.setStatusBarMessage(`Zug: ${outcome.text}`, 10_000);
                    return outcome;
                },
            },
        },
    );
    await client.start();
}

async function activate(context) {
    context.subscriptions.push(
        vscode.commands.registerCommand('zug.restart', async () => {
            await client?.stop();
            await start();
        }),
    );
    await start();
}

function deactivate() {
    return client?.stop();
}

module.exports = { activate, deactivate };
