package org.example.app;

import android.webkit.*;

class HelpActivity extends Activity {
    void settings(WebSettings settings, boolean debug) {
        // ruleid: java-android-webview-file-access
        settings.setAllowUniversalAccessFromFileURLs(true);
        // ruleid: java-android-webview-file-access
        settings.setAllowFileAccessFromFileURLs(true);
        // ok: java-android-webview-file-access
        settings.setAllowUniversalAccessFromFileURLs(false);
        // ok: java-android-webview-file-access
        settings.setAllowContentAccess(true);
    }
}
