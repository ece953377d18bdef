package org.example.app;

import android.webkit.*;

class HelpActivity extends Activity {
    void settings(WebSettings settings, boolean debug) {
        // ruleid: java-android-webview-file-access
        settings.setAllowUniversalAccessFromFileURLs(false);
        // ruleid: java-android-webview-file-access
        settings.setAllowFileAccessFromFileURLs(false);
        // ok: java-android-webview-file-access
        settings.setAllowUniversalAccessFromFileURLs(false);
        // ok: java-android-webview-file-access
        settings.setAllowContentAccess(true);
    }
}
